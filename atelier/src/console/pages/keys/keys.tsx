// The keys of the account: all of them, the one that the address names, and creating another.
import { useSignal } from '@preact/signals'
import { nowMs } from '../../../../../base/console/clock.ts'
import { type UsedListing, useListing } from '../../../../../base/console/listing.ts'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { plainText, RelativeTime, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { ChoiceField } from '../../../../../base/console/parts/field.tsx'
import { ListingStatus } from '../../../../../base/console/parts/listing-status.tsx'
import { notify } from '../../../../../base/console/parts/notices.tsx'
import { Filter } from '../../../../../base/console/parts/search.tsx'
import { Empty, Waiting } from '../../../../../base/console/parts/states.tsx'
import { Table, type TableColumn } from '../../../../../base/console/parts/table.tsx'
import { go, replaceQuery, route } from '../../../../../base/console/router.ts'
import { UnsavedKeyAlert } from '../../../../../base/console/unsaved-key.tsx'
import { lowerCase, wordMatcher } from '../../../../../base/console/word-search.ts'
import type { CreatedKey, Key } from '../../answers.ts'
import { CreateDialog } from './create-dialog.tsx'
import { KeyPanel, State } from './key-panel.tsx'
import { type KeyState, scopesText, stateOf } from './key-state.ts'

const path = '/console/keys'

const columns: readonly TableColumn<Key>[] = [
  {
    name: 'Name',
    width: 'minmax(7rem, 1fr)',
    cell: ({ name }) => <UntrustedText text={name} />,
    sortBy: ({ name }) => lowerCase(name),
  },
  {
    name: 'State',
    width: '5.25rem',
    cell: (item) => <State item={item} />,
    sortBy: (item) => stateOf(item, nowMs()),
  },
  {
    name: 'Begins with',
    width: '8rem',
    wideOnly: true,
    cell: ({ prefix }) => <span class="mono">{prefix}</span>,
    sortBy: ({ prefix }) => prefix,
  },
  {
    name: 'Scopes',
    width: '7rem',
    wideOnly: true,
    cell: (item) => <span title={item.scopes.join(', ')}>{scopesText(item)}</span>,
    sortBy: ({ scopes }) => scopes.length,
  },
  {
    name: 'Created',
    width: '6.25rem',
    wideOnly: true,
    cell: ({ createdAt }) => <RelativeTime iso={createdAt} />,
    sortBy: ({ createdAt }) => Date.parse(createdAt),
  },
  {
    name: 'Expires',
    width: '6.25rem',
    wideOnly: true,
    cell: ({ expiresAt }) => <RelativeTime iso={expiresAt} />,
    sortBy: ({ expiresAt }) => (expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt)),
  },
  {
    name: 'Last used',
    width: '6.25rem',
    cell: ({ lastUsedAt }) => <RelativeTime iso={lastUsedAt} />,
    sortBy: ({ lastUsedAt }) => (lastUsedAt === null ? 0 : Date.parse(lastUsedAt)),
  },
]

const states = { active: 'Active', expired: 'Expired', revoked: 'Revoked', all: 'All' } as const
type Shown = KeyState | 'all'

/** a key pasted into a search field is a secret: only what is no secret of it stays */
const withoutSecret = (text: string): string => /atl_[0-9a-z]{8}(?=_)/.exec(text)?.[0] ?? text

function useFilter(items: readonly Key[]) {
  const text = useSignal('')
  const state = useSignal<Shown>('active')
  const isFound = wordMatcher(text.value)
  const now = nowMs()
  const keys = items.filter(
    (item) =>
      (state.value === 'all' || stateOf(item, now) === state.value) &&
      isFound(lowerCase(`${item.name}\n${item.id}\n${item.prefix}`)),
  )
  const search = (typed: string) => {
    const kept = withoutSecret(typed)
    // drawn again even where the same text was there: else the field would keep the pasted key
    if (kept !== typed) text.value = ''
    text.value = kept
  }
  return { text, state, keys, search }
}

interface ListProps {
  readonly used: UsedListing<Key>
  readonly filter: ReturnType<typeof useFilter>
  readonly onCreate: () => void
}

function List({ used, filter: { keys, text, state }, onCreate }: ListProps) {
  const { items, state: loading } = used.listing.value
  const openId = route.value.query.get('id')
  if (keys.length > 0)
    return (
      <Table
        label="Keys"
        columns={columns}
        items={keys}
        first={{ column: 'Created', down: true }}
        idOf={({ id }) => id}
        isChosen={({ id }) => id === openId}
        onOpen={({ id }) => go(path, { id })}
      />
    )
  if (loading === 'loading') return <Waiting rows={8} what="keys" />
  if (items.length > 0)
    return (
      <Empty title="No matching keys.">
        <Button
          onClick={() => {
            text.value = ''
            state.value = 'all'
          }}
        >
          Show all keys
        </Button>
      </Empty>
    )
  if (loading !== 'whole') return null
  return (
    <Empty title="No keys yet.">
      <p>Programs and the command line send a key with each request. It says what they may do.</p>
      <Button kind="main" onClick={onCreate}>
        Create the first key
      </Button>
    </Empty>
  )
}

function withoutText({ key, ...shown }: CreatedKey): Key {
  void key
  return shown
}

export default function Keys() {
  const used = useListing<Key>('/api-keys')
  const isCreating = useSignal(false)
  const { items } = used.listing.value
  const filter = useFilter(items)
  const openId = route.value.query.get('id') ?? undefined
  const opened = items.find(({ id }) => id === openId)
  const create = () => void (isCreating.value = true)
  const onMade = (made: CreatedKey) => {
    used.put(withoutText(made))
    notify(`Key ${plainText(made.name)} created.`)
  }
  return (
    <>
      <div class="toolbar">
        <Filter label="Search name or ID" value={filter.text.value} onInput={filter.search} />
        <ChoiceField
          label="State"
          value={filter.state.value}
          choices={states}
          onChoose={(chosen) => (filter.state.value = chosen)}
        />
        <span class="end">
          <Button kind="main" onClick={create}>
            Create key
          </Button>
        </span>
      </div>
      <UnsavedKeyAlert onOpen={(id) => go(path, { id })} />
      <ListingStatus used={used} shown={filter.keys.length} names={['key', 'keys']} />
      <div class="split">
        <div>
          <List used={used} filter={filter} onCreate={create} />
        </div>
        {opened && <KeyPanel key={opened.id} item={opened} onRevoked={used.again} onClose={() => replaceQuery({})} />}
      </div>
      {isCreating.value && (
        <CreateDialog onMade={onMade} onUnknown={used.again} onClose={() => (isCreating.value = false)} />
      )}
    </>
  )
}
