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

export function selectPage(
  sql: Sql,
  { table, conditions, values }: Selection,
  after: Place | undefined,
  limit: number,
): Promise<SqlRow[]> {
  const all = after ? [...conditions, '(created_at < ? OR (created_at = ? AND id < ?))'] : conditions
  const given = after ? [...values, after.createdAt, after.createdAt, after.id] : values
  const where = all.length > 0 ? `WHERE ${all.join(' AND ')}` : ''
  return sql.all(`SELECT * FROM ${table} ${where} ORDER BY created_at DESC, id DESC LIMIT ?`, [...given, limit])
}
