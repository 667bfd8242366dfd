// The listing of connections: filtered, sorted, and how much of it is loaded.
import { useComputed, useSignal } from '@preact/signals'
import type { Connection } from '../../answers.ts'
import type { UsedListing } from '../../../../../base/console/listing.ts'
import { Badge, RelativeTime } from '../../../../../base/console/parts/display.tsx'
import { Allowed } from '../../../../../base/console/parts/allowed.tsx'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { ChoiceField } from '../../../../../base/console/parts/field.tsx'
import { ListingStatus } from '../../../../../base/console/parts/listing-status.tsx'
import { Filter } from '../../../../../base/console/parts/search.tsx'
import { Empty, Waiting } from '../../../../../base/console/parts/states.tsx'
import { Table, type TableColumn } from '../../../../../base/console/parts/table.tsx'
import { go, replaceQuery, route } from '../../../../../base/console/router.ts'
import { lowerCase, wordMatcher } from '../../../../../base/console/word-search.ts'
import { openForm } from './form-state.ts'
import { StateBadge, stateRank } from './live-state.tsx'

/** the open connection is in the address, so that it can be linked to */
export const openId = (): string | undefined => route.value.query.get('id') ?? undefined

/** the back button leaves the first one that was opened */
export function open({ id }: { readonly id: string }) {
  if (openId() === undefined) go('/connections', { id })
  else replaceQuery({ id })
}

export const close = () => go('/connections')

const columns: readonly TableColumn<Connection>[] = [
  {
    name: 'ID',
    width: 'minmax(7rem, 1.2fr)',
    cell: ({ id }) => <span class="mono">{id}</span>,
    sortBy: ({ id }) => id,
  },
  { name: 'State', width: '8rem', cell: ({ id }) => <StateBadge id={id} />, sortBy: ({ id }) => stateRank(id) },
  {
    name: 'Kind',
    width: '5.5rem',
    wideOnly: true,
    cell: ({ kind }) => <Badge tone="idle">{kind}</Badge>,
    sortBy: ({ kind }) => kind,
  },
  {
    name: 'Key ID',
    width: 'minmax(6rem, 0.8fr)',
    wideOnly: true,
    cell: ({ keyId }) => <span class="mono">{keyId}</span>,
    sortBy: ({ keyId }) => keyId,
  },
  {
    name: 'Issuer ID',
    width: 'minmax(6rem, 1fr)',
    wideOnly: true,
    cell: ({ issuerId }) => <span class={issuerId ? 'mono' : 'soft'}>{issuerId ?? 'individual key'}</span>,
    sortBy: ({ issuerId }) => issuerId ?? '',
  },
  {
    name: 'Last used',
    width: '6.5rem',
    wideOnly: true,
    cell: ({ kind, lastUsedAt }) => (
      <RelativeTime iso={lastUsedAt} never={kind === 'managed' ? 'not tracked' : 'never'} />
    ),
    sortBy: ({ lastUsedAt }) => lastUsedAt ?? '',
  },
  {
    name: 'Replaced',
    width: '6.5rem',
    wideOnly: true,
    cell: ({ kind, replacedAt }) => <RelativeTime iso={replacedAt} never={kind === 'managed' ? '–' : 'never'} />,
    sortBy: ({ replacedAt }) => replacedAt ?? '',
  },
]

const kinds = { '': 'All kinds', hosted: 'Hosted', managed: 'Managed' }

function matching(items: readonly Connection[], text: string, kind: string): readonly Connection[] {
  const isFound = wordMatcher(text)
  const namesOf = ({ id, keyId, issuerId }: Connection) => lowerCase(`${id} ${keyId} ${issuerId ?? 'individual'}`)
  return items.filter((one) => (kind === '' || one.kind === kind) && isFound(namesOf(one)))
}

interface ListProps {
  readonly used: UsedListing<Connection>
  readonly chosen: string | undefined
}

export function List({ used, chosen }: ListProps) {
  const { listing } = used
  const text = useSignal('')
  const kind = useSignal<keyof typeof kinds>('')
  const shown = useComputed(() => matching(listing.value.items, text.value, kind.value))
  const { items, state } = listing.value
  return (
    <div>
      <div class="toolbar">
        <Filter
          label="Filter by ID, key ID or issuer ID"
          value={text.value}
          onInput={(typed) => (text.value = typed)}
        />
        <ChoiceField label="Kind" value={kind.value} choices={kinds} onChoose={(one) => (kind.value = one)} />
        <div class="end">
          <Allowed operation="createConnection" otherwise="Adding connections needs the role of an administrator.">
            <Button kind="main" onClick={() => openForm({ what: 'add' })}>
              Add connection
            </Button>
          </Allowed>
        </div>
      </div>
      {items.length === 0 && state === 'loading' && <Waiting what="connections" rows={8} />}
      {items.length === 0 && state === 'whole' && (
        <Empty title="No connections yet.">
          <p>
            A connection is an App Store Connect API key under a name that you choose. Add one here, or define it in the
            settings file.
          </p>
        </Empty>
      )}
      {items.length > 0 && shown.value.length === 0 && (
        <Empty title="No matching connections.">
          <p>Shorten the filter or choose another kind.</p>
        </Empty>
      )}
      {shown.value.length > 0 && (
        <Table
          label="Connections"
          columns={columns}
          items={shown.value}
          idOf={({ id }) => id}
          onOpen={open}
          isChosen={({ id }) => id === chosen}
        />
      )}
      <ListingStatus used={used} shown={shown.value.length} names={['connection', 'connections']} />
    </div>
  )
}
