// Who may see what, at a glance: keys and connections as a matrix.
import { useEffect, useMemo } from 'preact/hooks'
import type { Connection, Key } from '../../answers.ts'
import { type UsedListing, useListing } from '../../listing.ts'
import { Button } from '../../parts/button.tsx'
import { HowMuch } from '../../parts/how-much.tsx'
import { Link } from '../../parts/link.tsx'
import { Empty, Waiting } from '../../parts/states.tsx'
import { go, place } from '../../router.ts'
import './access.css'
import { Above, Legend } from './around.tsx'
import { MatrixGrid } from './matrix.tsx'
import { Readout } from './readout.tsx'
import { change, choice, columnsOf, idsOf, type Matrix, narrowedIds, narrowedRows, reachesOf, rowsOf } from './view.ts'
import { standard, view } from './view.ts'

const isComing = ({ listing }: Pick<UsedListing<unknown>, 'listing'>): boolean =>
  listing.value.state === 'loading' && listing.value.items.length === 0

const isNone = ({ listing }: Pick<UsedListing<unknown>, 'listing'>): boolean =>
  listing.value.state === 'whole' && listing.value.items.length === 0

const isMissing = ({ listing }: Pick<UsedListing<unknown>, 'listing'>): boolean =>
  listing.value.state === 'failed' && listing.value.items.length === 0

/** to what the address names: `?key=` or `?connection=` */
function useNamed(keys: UsedListing<Key>) {
  const named = { key: place.value.query.get('key'), connection: place.value.query.get('connection') }
  const item = keys.listing.value.items.find(({ id }) => id === named.key)
  useEffect(() => {
    if (named.key === null && named.connection === null) return
    view.value = standard
    choice.value = { key: named.key ?? undefined, connection: named.connection ?? undefined }
  }, [named.key, named.connection])
  useEffect(() => {
    if (item && item.state !== 'active') change({ state: 'all' })
  }, [item?.state])
}

/** the key that is chosen; of a connection, those that may see it */
function open() {
  const { key, connection } = choice.peek()
  if (key !== undefined) go('/keys', { id: key })
  else if (connection !== undefined) change({ sees: view.peek().sees === connection ? undefined : connection })
}

/** each step is taken anew only where what it stands on has changed: somebody is typing */
function useMatrix(keys: UsedListing<Key>, connections: UsedListing<Connection>): Matrix {
  const { items } = keys.listing.value
  const { items: there, readAt } = connections.listing.value
  const wanted = view.value
  const known = useMemo(() => idsOf(there), [there])
  const reaches = useMemo(() => reachesOf(items, readAt === undefined ? undefined : known), [items, known, readAt])
  const ids = useMemo(() => narrowedIds(known, wanted.connections), [known, wanted.connections])
  const all = useMemo(() => rowsOf(reaches, ids), [reaches, ids])
  const rows = useMemo(() => narrowedRows(all, wanted), [all, wanted])
  const columns = useMemo(() => columnsOf(ids, rows), [ids, rows])
  return { rows, columns, known }
}

interface ShownProps {
  readonly keys: UsedListing<Key>
  readonly connections: UsedListing<Connection>
  readonly matrix: Matrix
}

function Shown({ keys, connections, matrix }: ShownProps) {
  if (isComing(keys) || isComing(connections)) return <Waiting rows={10} what="keys and connections" />
  if (isNone(keys))
    return (
      <Empty title="There is no key yet.">
        <p>
          Without one nobody may see anything. <Link to="/keys">Create a key</Link>
        </p>
      </Empty>
    )
  if (isNone(connections))
    return (
      <Empty title="There is no connection yet.">
        <p>
          So there is nothing to see. <Link to="/connections">Add a connection</Link>
        </p>
      </Empty>
    )
  // what went wrong is said above
  if (isMissing(keys) || isMissing(connections)) return null
  if (matrix.rows.length === 0 || matrix.columns.length === 0)
    return (
      <Empty title={matrix.rows.length === 0 ? 'No key is like that.' : 'No connection is like that.'}>
        <Button onClick={() => (view.value = standard)}>Show all active keys</Button>
      </Empty>
    )
  const isWhole = keys.listing.value.readAt !== undefined && connections.listing.value.readAt !== undefined
  return (
    <>
      <MatrixGrid matrix={matrix} isWhole={isWhole} onOpen={open} />
      <Readout matrix={matrix} />
      <Legend />
    </>
  )
}

export default function Access() {
  const keys = useListing<Key>('/keys')
  const connections = useListing<Connection>('/connections')
  useNamed(keys)
  const matrix = useMatrix(keys, connections)
  const both = () => {
    keys.again()
    connections.again()
  }
  return (
    <>
      <Above />
      <div class="access-much">
        <HowMuch bare used={keys} shown={matrix.rows.length} names={['key', 'keys']} />
        <HowMuch
          used={{ ...connections, again: both }}
          shown={matrix.columns.length}
          names={['connection', 'connections']}
        />
      </div>
      <Shown keys={keys} connections={connections} matrix={matrix} />
    </>
  )
}
