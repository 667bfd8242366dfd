// Opens the store that the settings name. The driver of PostgreSQL is loaded only where one is named.
import type { Database, Opening } from '../../../base/store/sql.ts'
import { sqliteDatabase } from '../../../base/store/sqlite.ts'
import { leasedDatabase } from './lease.ts'
import { schema } from './migrations.ts'

/** `location`: `sqlite:PATH` or `postgres://…` */
export async function openDatabase(location: string, opening: Opening = {}): Promise<Database> {
  if (location.startsWith('sqlite:')) return sqliteDatabase(location.slice('sqlite:'.length), schema, opening)
  const { postgresDatabase } = await import('../../../base/store/postgres.ts')
  return leasedDatabase(await postgresDatabase(location, schema, opening))
}
