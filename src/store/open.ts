// Opens the store that the settings name. The driver of PostgreSQL is only loaded where one is.
import { storeOver } from './over.ts'
import type { Store } from './records.ts'
import type { Database, Opening } from './sql.ts'
import { sqliteDatabase } from './sqlite.ts'

/** @param location `sqlite:PATH` or `postgres://…` */
export async function openDatabase(location: string, opening: Opening = {}): Promise<Database> {
  if (location.startsWith('sqlite:')) return sqliteDatabase(location.slice('sqlite:'.length), opening)
  if (!/^postgres(ql)?:\/\//.test(location)) throw new Error('A store is sqlite:PATH or postgres://USER@HOST/DATABASE.')
  const { postgresDatabase } = await import('./postgres.ts')
  return postgresDatabase(location, opening)
}

export async function openStore(location: string, opening?: Pick<Opening, 'readPassword'>): Promise<Store> {
  return storeOver(await openDatabase(location, opening))
}
