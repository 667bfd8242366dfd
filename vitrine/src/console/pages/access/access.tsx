// Who can read what, at a glance: keys and connections as a matrix.
import { useEffect, useMemo } from 'preact/hooks'
import type { Connection, Key } from '../../answers.ts'
import { type Listing, type UsedListing, useListing } from '../../../../../base/console/listing.ts'
import { Button, Link } from '../../../../../base/console/parts/controls.tsx'
import { ListingStatus } from '../../../../../base/console/parts/listing-status.tsx'
import { Empty, Waiting } from '../../../../../base/console/parts/states.tsx'
import { go, route } from '../../../../../base/console/router.ts'
import './access.css'
import {
  change,
  columnsOf,
  filteredIds,
  filteredRows,
  type Matrix,
  matrixFilter,
  reachesOf,
  rowsOf,
  selection,
  standard,
} from './matrix-data.ts'
import { MatrixGrid } from './matrix.tsx'
import { SelectionDetails } from './selection.tsx'
import { groups } from '../../../catalogue/groups.ts'
import { Checkbox, ChoiceField, TextField } from '../../../../../base/console/parts/field.tsx'
import { Filter } from '../../../../../base/console/parts/search.tsx'
import { UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { Mark } from './cell.tsx'

function Filters() {
  const { keys, connections, state, onlyReading, reads } = matrixFilter.value
  return (
    <div class="toolbar">
      <Filter label="Search keys" value={keys} onInput={(text) => change({ keys: text })} />
      <div class="access-search">
        <TextField
          label="Connections"
          kind="search"
          placeholder="Search connections"
          value={connections}
          onInput={(text) => change({ connections: text })}
        />
      </div>
      <ChoiceField
        label="Keys"
        value={state}
        choices={{ active: 'Active', all: 'All' }}
        onChoose={(chosen) => change({ state: chosen })}
      />
      <Checkbox
        label="Hide keys without access"
        checked={onlyReading}
        onChange={(checked) => change({ onlyReading: checked })}
      />
      {reads !== undefined && (
        <Button onClick={() => change({ reads: undefined })}>
          <span class="access-reads">
            Can read <UntrustedText text={reads} />
          </span>
          <span aria-hidden="true">✕</span>
        </Button>
      )}
    </div>
  )
}

const someGroups = `4/${groups.length}`

function Legend() {
  return (
    <ul class="access-legend" aria-label="Legend">
      <li>
        <Mark isAll={false} share="all" /> All groups, connection named
      </li>
      <li>
        <Mark isAll={false} share={someGroups} /> Some groups, connection named
      </li>
      <li>
        <Mark isAll share="all" /> <Mark isAll share={someGroups} /> Through *, which includes connections added later
      </li>
      <li>
        <span class="access-mark">!</span> Names a connection that was removed or now belongs to another account
      </li>
      <li class="soft">Totals cover the visible rows and columns.</li>
    </ul>
  )
}

const isEmpty = ({ listing }: Pick<UsedListing<unknown>, 'listing'>, state: Listing<unknown>['state']): boolean =>
  listing.value.state === state && listing.value.items.length === 0

/** selects what the address names: `?key=` or `?connection=` */
function useNamed(keys: UsedListing<Key>) {
  const named = { key: route.value.query.get('key'), connection: route.value.query.get('connection') }
  const item = keys.listing.value.items.find(({ id }) => id === named.key)
  useEffect(() => {
    if (named.key === null && named.connection === null) return
    matrixFilter.value = standard
    selection.value = { key: named.key ?? undefined, connection: named.connection ?? undefined }
  }, [named.key, named.connection])
  useEffect(() => {
    if (item && item.state !== 'active') change({ state: 'all' })
  }, [item?.state])
}

/** opens the selected key; for a connection, shows the keys that can read it */
function open() {
  const { key, connection } = selection.peek()
  if (key !== undefined) go('/keys', { id: key })
  else if (connection !== undefined)
    change({ reads: matrixFilter.peek().reads === connection ? undefined : connection })
}

/** a step is repeated only if its input has changed, which keeps typing quick */
function useMatrix(keys: UsedListing<Key>, connections: UsedListing<Connection>): Matrix {
  const { items } = keys.listing.value
  const { items: there, readAt } = connections.listing.value
  const filter = matrixFilter.value
  const known = useMemo(() => new Set(there.map(({ id }) => id)), [there])
  const reaches = useMemo(() => reachesOf(items, readAt === undefined ? undefined : known), [items, known, readAt])
  const ids = useMemo(() => filteredIds(known, filter.connections), [known, filter.connections])
  const all = useMemo(() => rowsOf(reaches, ids), [reaches, ids])
  const rows = useMemo(() => filteredRows(all, filter), [all, filter])
  const columns = useMemo(() => columnsOf(ids, rows), [ids, rows])
  return { rows, columns, known }
}

interface ContentProps {
  readonly keys: UsedListing<Key>
  readonly connections: UsedListing<Connection>
  readonly matrix: Matrix
}

function Content({ keys, connections, matrix }: ContentProps) {
  if (isEmpty(keys, 'loading') || isEmpty(connections, 'loading'))
    return <Waiting rows={10} what="keys and connections" />
  if (isEmpty(keys, 'whole'))
    return (
      <Empty title="No keys yet.">
        <p>
          Callers need a key to read anything. <Link to="/keys">Create a key</Link>
        </p>
      </Empty>
    )
  if (isEmpty(connections, 'whole'))
    return (
      <Empty title="No connections yet.">
        <p>
          There is nothing to read until you add one. <Link to="/connections">Add a connection</Link>
        </p>
      </Empty>
    )
  // the refusal is shown above
  if (isEmpty(keys, 'failed') || isEmpty(connections, 'failed')) return null
  if (matrix.rows.length === 0 || matrix.columns.length === 0)
    return (
      <Empty title={matrix.rows.length === 0 ? 'No matching keys.' : 'No matching connections.'}>
        <Button onClick={() => (matrixFilter.value = standard)}>Show all active keys</Button>
      </Empty>
    )
  const isWhole = keys.listing.value.readAt !== undefined && connections.listing.value.readAt !== undefined
  return (
    <>
      <MatrixGrid matrix={matrix} isWhole={isWhole} onOpen={open} />
      <SelectionDetails matrix={matrix} />
      <Legend />
    </>
  )
}

export default function Access() {
  const keys = useListing<Key>('/keys')
  const connections = useListing<Connection>('/connections')
  useNamed(keys)
  const matrix = useMatrix(keys, connections)
  const again = () => {
    keys.again()
    connections.again()
  }
  const { rows, columns } = matrix
  return (
    <>
      <Filters />
      <div class="access-status">
        <ListingStatus bare used={keys} shown={rows.length} names={['key', 'keys']} />
        <ListingStatus used={{ ...connections, again }} shown={columns.length} names={['connection', 'connections']} />
      </div>
      <Content keys={keys} connections={connections} matrix={matrix} />
    </>
  )
}
