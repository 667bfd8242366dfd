// The keys: all of them, the one that the address names, and creating another.
import { type Signal, useSignal } from '@preact/signals'
import type { Connection, IssuedKey, Key } from '../../answers.ts'
import { nowMs } from '../../../../../base/console/clock.ts'
import { type UsedListing, useListing } from '../../../../../base/console/listing.ts'
import { Allowed } from '../../../../../base/console/parts/allowed.tsx'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { ListingStatus } from '../../../../../base/console/parts/listing-status.tsx'
import { notify } from '../../../../../base/console/parts/notices.tsx'
import { Empty, Waiting } from '../../../../../base/console/parts/states.tsx'
import { Table } from '../../../../../base/console/parts/table.tsx'
import { plainText } from '../../../../../base/console/parts/display.tsx'
import { go, replaceQuery, route } from '../../../../../base/console/router.ts'
import { UnsavedKeyAlert } from '../../../../../base/console/unsaved-key.tsx'
import { columns } from './columns.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { filtered, idleDays, type KeyFilter, soonDays, standard } from './filter.ts'
import { KeyPanel } from './key-panel.tsx'
import './keys.css'
import type { ComponentChildren } from 'preact'
import { withoutSecret } from '../../facade-key.ts'
import { Checkbox, ChoiceField } from '../../../../../base/console/parts/field.tsx'
import { Filter } from '../../../../../base/console/parts/search.tsx'

function Filters({ filter, children }: { readonly filter: Signal<KeyFilter>; readonly children: ComponentChildren }) {
  const { text, state, soon, idle } = filter.value
  const change = (changed: Partial<KeyFilter>) => void (filter.value = { ...filter.peek(), ...changed })
  const search = (typed: string) => {
    const kept = withoutSecret(typed)
    // drawn again even where the same id was there: else the field would keep the pasted key
    if (kept !== typed) change({ text: '' })
    change({ text: kept })
  }
  return (
    <div class="toolbar">
      <Filter label="Search name, ID, note or connection" value={text} onInput={search} />
      <ChoiceField
        label="State"
        value={state}
        choices={{ active: 'Active', expired: 'Expired', revoked: 'Revoked', all: 'All' }}
        onChoose={(chosen) => change({ state: chosen })}
      />
      <div class="keys-quick">
        <Checkbox
          label={`Expires within ${soonDays} days`}
          checked={soon}
          onChange={(checked) => change(checked ? { soon: true, state: 'active' } : { soon: false })}
        />
        <Checkbox
          label={`Not used for ${idleDays} days`}
          checked={idle}
          onChange={(checked) => change({ idle: checked })}
        />
      </div>
      <span class="end">{children}</span>
    </div>
  )
}

const newestFirst = { column: 'Created', down: true }

interface ListProps {
  readonly keys: readonly Key[]
  readonly used: UsedListing<Key>
  readonly filter: Signal<KeyFilter>
  readonly openId: string | undefined
  readonly onCreate: () => void
}

function List({ keys, used, filter, openId, onCreate }: ListProps) {
  const { items, state } = used.listing.value
  if (keys.length > 0)
    return (
      <Table
        label="Keys"
        columns={columns}
        items={keys}
        first={newestFirst}
        idOf={({ id }) => id}
        isChosen={({ id }) => id === openId}
        onOpen={({ id }) => go('/keys', { id })}
      />
    )
  if (state === 'loading') return <Waiting rows={8} what="keys" />
  if (items.length === 0 && state === 'whole')
    return (
      <Empty title="No keys yet.">
        <p>Callers send a key with each request. It defines what they can read.</p>
        <Allowed operation="createKey">
          <Button kind="main" onClick={onCreate}>
            Create the first key
          </Button>
        </Allowed>
      </Empty>
    )
  if (items.length === 0) return null
  return (
    <Empty title="No matching keys.">
      <Button onClick={() => (filter.value = { ...standard, state: 'all' })}>Show all keys</Button>
    </Empty>
  )
}

function withoutText({ key, ...shown }: IssuedKey): Key {
  void key
  return shown
}

export default function Keys() {
  const used = useListing<Key>('/keys')
  const connections = useListing<Connection>('/connections')
  const filter = useSignal(standard)
  const isCreating = useSignal(false)
  const openId = route.value.query.get('id') ?? undefined
  const { items } = used.listing.value
  const keys = filtered(items, filter.value, nowMs())
  const create = () => void (isCreating.value = true)
  const put = (made: IssuedKey) => used.put(withoutText(made))
  const onMade = (made: IssuedKey) => {
    put(made)
    notify(`Key ${plainText(made.name)} created.`)
  }
  return (
    <>
      <Filters filter={filter}>
        <Allowed operation="createKey" otherwise="Creating keys needs the role of a key manager.">
          <Button kind="main" onClick={create}>
            Create key
          </Button>
        </Allowed>
      </Filters>
      <UnsavedKeyAlert onOpen={(id) => go('/keys', { id })} />
      <ListingStatus used={used} shown={keys.length} names={['key', 'keys']} />
      <div class="split">
        <div>
          <List keys={keys} used={used} filter={filter} openId={openId} onCreate={create} />
        </div>
        {openId !== undefined && (
          <KeyPanel id={openId} keys={used} connections={connections} onMade={put} onClose={() => replaceQuery({})} />
        )}
      </div>
      {isCreating.value && (
        <CreateDialog
          known={connections}
          onMade={onMade}
          onUnknown={used.again}
          onClose={() => (isCreating.value = false)}
        />
      )}
    </>
  )
}
