// One page of a list, newest first: by the time of creation, then by id, both descending.
import type { Sql, SqlRow, SqlValue } from '../../../base/store/sql.ts'

export interface Place {
  readonly createdAt: number
  readonly id: string
}

export interface Selection {
  readonly table: 'api_keys' | 'containers' | 'images'
  /** fixed texts with `?` for the values */
  readonly conditions: readonly string[]
  readonly values: readonly SqlValue[]
}

/** `next`: where the next page goes on; null: there is none */
export interface Found<T> {
  readonly items: readonly T[]
  readonly next: Place | null
}

/** bound of the texts of a page: a page ends there before the number of items that was asked for, but has one item at least */
export const pageBytes = 1024 * 1024

export const firstOf = <T extends Place>(found: readonly T[], limit: number): Found<T> => ({
  items: found.slice(0, limit),
  next: found.length > limit ? found[limit - 1]! : null,
})

function queryOf({ table, conditions, values }: Selection, after: Place | undefined) {
  const all = after ? [...conditions, '(created_at < ? OR (created_at = ? AND id < ?))'] : conditions
  const given = after ? [...values, after.createdAt, after.createdAt, after.id] : values
  const where = all.length > 0 ? `WHERE ${all.join(' AND ')}` : ''
  return (columns: string, limit: number) =>
    [`SELECT ${columns} FROM ${table} ${where} ORDER BY created_at DESC, id DESC LIMIT ?`, [...given, limit]] as const
}

export const selectPage = (
  sql: Sql,
  selection: Selection,
  after: Place | undefined,
  limit: number,
): Promise<SqlRow[]> => sql.all(...queryOf(selection, after)('*', limit))

/** Reads the sizes first, so that no row beyond the bound is read. `bytesOf`: an expression. */
export async function selectBounded(
  sql: Sql,
  selection: Selection,
  { after, limit, bytesOf }: { readonly after: Place | undefined; readonly limit: number; readonly bytesOf: string },
): Promise<{ readonly rows: SqlRow[]; readonly bytes: number; readonly isLast: boolean }> {
  const query = queryOf(selection, after)
  const sizes = await sql.all(...query(`id, ${bytesOf} AS bytes`, limit + 1))
  let [count, bytes] = [0, 0]
  for (const { bytes: size } of sizes.slice(0, limit)) {
    if (count > 0 && bytes + Number(size) > pageBytes) break
    bytes += Number(size)
    count++
  }
  const rows = count === 0 ? [] : await sql.all(...query('*', count))
  // a row that was added in between has taken the place of the last one
  const isSame = rows.at(-1)?.['id'] === sizes[count - 1]?.['id']
  return { rows, bytes, isLast: sizes.length <= count && isSame }
}
