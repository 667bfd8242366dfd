// The containers: all of them as they are now, the one that the address names, and creating another.
import { useSignal } from '@preact/signals'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { ChoiceField } from '../../../../../base/console/parts/field.tsx'
import { Filter } from '../../../../../base/console/parts/search.tsx'
import { Empty, Failed, Waiting } from '../../../../../base/console/parts/states.tsx'
import { Table } from '../../../../../base/console/parts/table.tsx'
import { counted } from '../../../../../base/console/format.ts'
import { go, replaceQuery, route } from '../../../../../base/console/router.ts'
import { lowerCase, wordMatcher } from '../../../../../base/console/word-search.ts'
import type { Container } from '../../answers.ts'
import { containers, liveRefusal, refresh, subscription } from '../../live.ts'
import { Usage } from '../../usage.tsx'
import { columns } from './columns.tsx'
import { ContainerPanel } from './container-panel.tsx'
import { CreateDialog } from './create-dialog.tsx'
import './containers.css'

const states = { '': 'All', running: 'Running', exited: 'Exited', failed: 'Failed' } as const
type State = keyof typeof states

const textOf = ({ id, name, image, labels }: Container): string =>
  lowerCase([id, name ?? '', image.name, ...Object.entries(labels).map((pair) => pair.join('='))].join('\n'))

function filtered(items: readonly Container[], text: string, state: State): readonly Container[] {
  const isFound = wordMatcher(text)
  return items.filter((item) => (state === '' || item.status === state) && isFound(textOf(item)))
}

/** the back button leaves the first one that was opened */
function open({ id }: { readonly id: string }) {
  if (route.peek().query.has('id')) replaceQuery({ id })
  else go('/console/containers', { id })
}

interface ListProps {
  readonly items: readonly Container[]
  readonly shown: readonly Container[]
  readonly onCreate: () => void
  readonly onShowAll: () => void
}

function List({ items, shown, onCreate, onShowAll }: ListProps) {
  const openId = route.value.query.get('id')
  if (shown.length > 0)
    return (
      <Table
        label="Containers"
        columns={columns}
        items={shown}
        idOf={({ id }) => id}
        isChosen={({ id }) => id === openId}
        onOpen={open}
      />
    )
  if (items.length > 0)
    return (
      <Empty title="No matching containers.">
        <Button onClick={onShowAll}>Show all containers</Button>
      </Empty>
    )
  return (
    <Empty title="No containers yet.">
      <p>A container runs your commands on an image, apart from everything else. It ends by itself after a while.</p>
      <Button kind="main" onClick={onCreate}>
        Create the first container
      </Button>
    </Empty>
  )
}

function Toolbar({ text, state, onCreate }: ReturnType<typeof useFilter> & Pick<ListProps, 'onCreate'>) {
  return (
    <div class="toolbar">
      <Filter label="Search name, ID, image or label" value={text.value} onInput={(typed) => (text.value = typed)} />
      <ChoiceField label="State" value={state.value} choices={states} onChoose={(one) => (state.value = one)} />
      <span class="end">
        <Button kind="main" onClick={onCreate}>
          Create container
        </Button>
      </span>
    </div>
  )
}

function useFilter() {
  return { text: useSignal(''), state: useSignal<State>('') }
}

export default function Containers() {
  const filter = useFilter()
  const isCreating = useSignal(false)
  const openId = route.value.query.get('id') ?? undefined
  const [items, refusal] = [containers.value, liveRefusal.value]
  const shown = items && filtered(items, filter.text.value, filter.state.value)
  const create = () => void (isCreating.value = true)
  const showAll = () => {
    filter.text.value = ''
    filter.state.value = ''
  }
  return (
    <>
      {subscription.value && <Usage subscription={subscription.value} only={['containers', 'memoryMiB', 'cpu']} />}
      <Toolbar {...filter} onCreate={create} />
      {refusal && <Failed refusal={refusal} again={refresh} what="The containers could not be read." />}
      <div class="split">
        <div>
          {items && shown && <List items={items} shown={shown} onCreate={create} onShowAll={showAll} />}
          {!items && !refusal && <Waiting rows={8} what="containers" />}
          {items && items.length > 0 && (
            <p class="listing-status" role="status">
              {shown?.length === items.length
                ? counted(items.length, 'container')
                : `${shown?.length} of ${counted(items.length, 'container')}`}
            </p>
          )}
        </div>
        {openId !== undefined && <ContainerPanel key={openId} id={openId} onClose={() => replaceQuery({})} />}
      </div>
      {isCreating.value && (
        <CreateDialog
          onMade={({ id }) => {
            isCreating.value = false
            refresh()
            open({ id })
          }}
          onClose={() => (isCreating.value = false)}
        />
      )}
    </>
  )
}
