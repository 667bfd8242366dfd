// The tables of the schema as plain rows, page by page, for copies and checks.
import { createHash } from 'node:crypto'
import { auditColumns } from '../../../base/store/audit-chain.ts'
import { connectionColumns } from './connection-rows.ts'
import { keyColumns } from './key-rows.ts'
import { copyMark, type SqlRow, type Sql, type SqlValue } from '../../../base/store/sql.ts'

export interface StoreTable {
  readonly name: 'secrets' | 'keys' | 'connections' | 'audit' | 'hours'
  readonly columns: readonly string[]
  /** less than every id */
  readonly start: SqlValue
}

export const tables: readonly StoreTable[] = [
  { name: 'secrets', columns: ['name', 'value'], start: '' },
  { name: 'keys', columns: keyColumns, start: '' },
  { name: 'connections', columns: connectionColumns, start: '' },
  { name: 'audit', columns: auditColumns, start: 0 },
  { name: 'hours', columns: ['hour', 'sums'], start: 0 },
]

export const rowsPerPage = 500
export const idColumn = ({ columns }: StoreTable): string => columns[0] ?? ''
export const rowId = (table: StoreTable, row: SqlRow): SqlValue => row[idColumn(table)] ?? null

/** without the mark of a copy, which belongs to one side only */
export function rowsAfter(sql: Sql, table: StoreTable, after: SqlValue): Promise<SqlRow[]> {
  const id = idColumn(table)
  const ours = table.name === 'secrets' ? `AND name <> '${copyMark}'` : ''
  const text = `SELECT ${table.columns.join()} FROM ${table.name} WHERE ${id} > ? ${ours} ORDER BY ${id} LIMIT ?`
  return sql.all(text, [after, rowsPerPage])
}

/** all rows, page by page, letting other work run in between */
export async function* rowPages(sql: Sql, table: StoreTable, start = table.start): AsyncGenerator<SqlRow[]> {
  for (let after = start; ;) {
    const rows = await rowsAfter(sql, table, after)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    if (rows.length < rowsPerPage) return
    after = rowId(table, last)
    await new Promise((ok) => setImmediate(ok))
  }
}

/** equal for the same row in either database */
export function rowDigest(table: StoreTable, row: SqlRow): string {
  const said = table.columns.map((column) => {
    const value = row[column] ?? null
    return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value
  })
  return createHash('sha256').update(JSON.stringify(said)).digest('hex')
}
