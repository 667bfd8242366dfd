// Which keys and connections are in the matrix, and what is selected. It lasts while the console is open: after a look at a key
// one comes back to the same place.
import { signal } from '@preact/signals'
import type { Key } from '../../answers.ts'
import { endedOf, readsAll } from '../../facade-key.ts'
import { lowerCase, wordMatcher } from '../../../../../base/console/word-search.ts'

export const standard = {
  keys: '',
  connections: '',
  state: 'active' as 'active' | 'all',
  /** leaves out keys that read none of the visible connections */
  onlyReading: false,
  /** only keys that can read this connection */
  reads: undefined as string | undefined,
}

export type MatrixFilter = Readonly<typeof standard>

export const matrixFilter = signal<MatrixFilter>(standard)
export const change = (changed: Partial<MatrixFilter>) =>
  void (matrixFilter.value = { ...matrixFilter.peek(), ...changed })

/** a cell, a row, a column, or the corner where neither is named */
export interface Selection {
  readonly key?: string | undefined
  readonly connection?: string | undefined
}

export const selection = signal<Selection>({})

export interface KeyReach {
  readonly key: Key
  /** that a search looks at */
  readonly text: string
  readonly isAll: boolean
  readonly named: ReadonlySet<string>
  /** what it names and cannot read: removed, or of another account now */
  readonly ended: readonly string[]
}

export interface KeyRow extends KeyReach {
  /** how many of the visible connections it can read */
  readonly total: number
}

export interface ConnectionColumn {
  readonly id: string
  /** how many of the visible keys can read it, through its name and through `*` */
  readonly byName: number
  readonly byAll: number
}

export interface Matrix {
  readonly rows: readonly KeyRow[]
  readonly columns: readonly ConnectionColumn[]
  /** of all connections, visible or not */
  readonly known: ReadonlySet<string>
}

const order = new Intl.Collator('en', { numeric: true })

export const canRead = ({ isAll, named }: Pick<KeyReach, 'isAll' | 'named'>, id: string): boolean =>
  isAll || named.has(id)

/** by name. `known`: all connections; undefined while not all of them are loaded */
export function reachesOf(keys: readonly Key[], known: ReadonlySet<string> | undefined): readonly KeyReach[] {
  const reaches = keys.map((key) => ({
    key,
    text: lowerCase(`${key.name}\n${key.id}`),
    isAll: readsAll(key),
    named: new Set(key.connections.filter((id) => id !== '*' && !key.endedConnections.includes(id))),
    ended: endedOf(key, known),
  }))
  return reaches.sort((a, b) => order.compare(a.key.name, b.key.name) || (a.key.id < b.key.id ? -1 : 1))
}

export function filteredIds(known: ReadonlySet<string>, text: string): readonly string[] {
  const isFound = wordMatcher(text)
  return [...known].filter((id) => isFound(lowerCase(id)))
}

export function rowsOf(reaches: readonly KeyReach[], ids: readonly string[]): readonly KeyRow[] {
  const visible = new Set(ids)
  return reaches.map((reach) => ({
    ...reach,
    total: reach.isAll ? visible.size : reach.named.intersection(visible).size,
  }))
}

export function filteredRows(rows: readonly KeyRow[], filter: MatrixFilter): readonly KeyRow[] {
  const isFound = wordMatcher(filter.keys)
  return rows.filter(
    (row) =>
      (filter.state === 'all' || row.key.state === 'active') &&
      (filter.reads === undefined || canRead(row, filter.reads)) &&
      (!filter.onlyReading || row.total > 0) &&
      isFound(row.text),
  )
}

export function columnsOf(ids: readonly string[], rows: readonly KeyRow[]): readonly ConnectionColumn[] {
  const active = rows.filter(({ key }) => key.state === 'active')
  const byAll = active.filter(({ isAll }) => isAll).length
  const counts = new Map<string, number>()
  for (const { isAll, named } of active) if (!isAll) for (const id of named) counts.set(id, (counts.get(id) ?? 0) + 1)
  return ids.map((id) => ({ id, byAll, byName: counts.get(id) ?? 0 }))
}
