// Which keys and connections stand in the matrix, and what is chosen in it. It stays while the console is open: who looks
// at a key comes back to where he was.
import { signal } from '@preact/signals'
import type { Connection, Key } from '../../answers.ts'
import { finderOf, small } from '../../finding.ts'
import { endedOf, seesAll } from '../../grants.ts'

export interface View {
  readonly keys: string
  readonly connections: string
  readonly state: 'active' | 'all'
  /** keys without a connection in sight are left out */
  readonly onlyHaving: boolean
  /** only keys that may see this connection */
  readonly sees: string | undefined
}

export const standard: View = { keys: '', connections: '', state: 'active', onlyHaving: false, sees: undefined }
export const view = signal(standard)
export const change = (changed: Partial<View>) => void (view.value = { ...view.peek(), ...changed })

/** a cell, a row, a column, or the corner where neither is named */
export interface Choice {
  readonly key?: string | undefined
  readonly connection?: string | undefined
}

export const choice = signal<Choice>({})

/** a key, and what it reaches */
export interface Reach {
  readonly key: Key
  /** for whoever searches */
  readonly text: string
  readonly isAll: boolean
  readonly named: ReadonlySet<string>
  /** what it names and does not read: removed, or of another account now */
  readonly ended: readonly string[]
}

export interface Row extends Reach {
  /** how many of the connections in sight it may see */
  readonly total: number
}

export interface Column {
  readonly id: string
  /** how many of the keys in sight may see it now */
  readonly byName: number
  readonly byAll: number
}

export interface Matrix {
  readonly rows: readonly Row[]
  readonly columns: readonly Column[]
  /** ids of all connections, in sight or not */
  readonly known: ReadonlySet<string>
}

const order = new Intl.Collator('en', { numeric: true })

export const sees = ({ isAll, named }: Pick<Reach, 'isAll' | 'named'>, id: string): boolean => isAll || named.has(id)

export const idsOf = (connections: readonly Connection[]): ReadonlySet<string> =>
  new Set(connections.map(({ id }) => id))

/** by name. `known`: all connections that are there; undefined while not all of them are here */
export function reachesOf(keys: readonly Key[], known: ReadonlySet<string> | undefined): readonly Reach[] {
  const reaches = keys.map((key) => ({
    ...{ key, text: small(`${key.name}\n${key.id}`), isAll: seesAll(key) },
    named: new Set(key.connections.filter((id) => id !== '*' && !key.endedConnections.includes(id))),
    ended: endedOf(key, known),
  }))
  return reaches.sort((a, b) => order.compare(a.key.name, b.key.name) || (a.key.id < b.key.id ? -1 : 1))
}

/** the connections in sight */
export function narrowedIds(known: ReadonlySet<string>, wanted: string): readonly string[] {
  const isFound = finderOf(wanted)
  return [...known].filter((id) => isFound(small(id)))
}

export function rowsOf(reaches: readonly Reach[], ids: readonly string[]): readonly Row[] {
  const inSight = new Set(ids)
  const totalOf = ({ isAll, named }: Reach) =>
    isAll ? inSight.size : named.values().reduce((sum, id) => sum + (inSight.has(id) ? 1 : 0), 0)
  return reaches.map((reach) => ({ ...reach, total: totalOf(reach) }))
}

export function narrowedRows(rows: readonly Row[], wanted: View): readonly Row[] {
  const isFound = finderOf(wanted.keys)
  return rows.filter(
    (row) =>
      (wanted.state === 'all' || row.key.state === 'active') &&
      (wanted.sees === undefined || sees(row, wanted.sees)) &&
      (!wanted.onlyHaving || row.total > 0) &&
      isFound(row.text),
  )
}

export function columnsOf(ids: readonly string[], rows: readonly Row[]): readonly Column[] {
  const live = rows.filter(({ key }) => key.state === 'active')
  const byAll = live.filter(({ isAll }) => isAll).length
  const counts = new Map<string, number>()
  for (const { isAll, named } of live) if (!isAll) for (const id of named) counts.set(id, (counts.get(id) ?? 0) + 1)
  return ids.map((id) => ({ id, byAll, byName: counts.get(id) ?? 0 }))
}
