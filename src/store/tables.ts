// The tables of the schema as plain rows, a page at a time: for copying and for looking through.
import { createHash } from 'node:crypto'
import { auditColumns } from './chain.ts'
import { connectionColumns } from './connection-rows.ts'
import { keyColumns } from './key-rows.ts'
import { copying, type Row, type Sql, type Value } from './sql.ts'

export interface Table {
  readonly name: 'secrets' | 'keys' | 'connections' | 'audit'
  /** the first is the one that rows are ordered by */
  readonly columns: readonly string[]
  /** less than every id */
  readonly start: Value
}

export const tables: readonly Table[] = [
  { name: 'secrets', columns: ['name', 'value'], start: '' },
  { name: 'keys', columns: keyColumns, start: '' },
  { name: 'connections', columns: connectionColumns, start: '' },
  { name: 'audit', columns: auditColumns, start: 0 },
]

export const pageSize = 500

export const idColumn = ({ columns }: Table): string => columns[0] ?? ''

export const idOf = (table: Table, row: Row): Value => row[idColumn(table)] ?? null

/** without the mark of a copy, which belongs to one side only */
export function pageOf(sql: Sql, table: Table, after: Value): Promise<Row[]> {
  const id = idColumn(table)
  const ours = table.name === 'secrets' ? `AND name <> '${copying}'` : ''
  const text = `SELECT ${table.columns.join()} FROM ${table.name} WHERE ${id} > ? ${ours} ORDER BY ${id} LIMIT ?`
  return sql.all(text, [after, pageSize])
}

/** all of a table, page by page; whoever waits behind a long walk comes first */
export async function* pagesOf(sql: Sql, table: Table): AsyncGenerator<Row[]> {
  let after = table.start
  for (;;) {
    const rows = await pageOf(sql, table, after)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    if (rows.length < pageSize) return
    after = idOf(table, last)
    await new Promise((ok) => setImmediate(ok))
  }
}

/** the same for the same row, in either database */
export function digestOf(table: Table, row: Row): string {
  const said = table.columns.map((column) => {
    const value = row[column] ?? null
    return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value
  })
  return createHash('sha256').update(JSON.stringify(said)).digest('hex')
}
