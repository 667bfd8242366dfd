// Opens the store that the settings name. The driver of PostgreSQL is loaded only where one is named.
import { schema } from './migrations.ts'
import { storeOver } from './store.ts'
import type { Store } from './store.ts'
import { type Database, type Opening, withKnownSchema } from '../../../base/store/sql.ts'
import { sqliteDatabase } from '../../../base/store/sqlite.ts'

/** `location`: `sqlite:PATH` or `postgres://…` */
export async function openDatabase(location: string, opening: Opening = {}): Promise<Database> {
  if (location.startsWith('sqlite:')) return sqliteDatabase(location.slice('sqlite:'.length), schema, opening)
  if (!/^postgres(ql)?:\/\//.test(location)) throw new Error('A store is sqlite:PATH or postgres://USER@HOST/DATABASE.')
  const { postgresDatabase } = await import('../../../base/store/postgres.ts')
  return postgresDatabase(location, schema, opening)
}

export async function openStore(
  location: string,
  opening?: Pick<Opening, 'readPassword' | 'awaiting'>,
): Promise<Store> {
  return storeOver(await openDatabase(location, opening))
}

/** for a command that changes nothing; refuses a store of another schema */
export const openStoreToLook = async (location: string, opening: Pick<Opening, 'readPassword'>): Promise<Store> =>
  storeOver(await withKnownSchema(await openDatabase(location, { ...opening, migrate: false })))

export const openSqlite = (path: string): Store => storeOver(sqliteDatabase(path, schema))
