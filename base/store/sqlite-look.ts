// Opens a SQLite store beside a running service without writing, creating or migrating anything, SQLite's journal included.
import { existsSync, realpathSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { cannotOpen } from './sqlite-file.ts'
import { sqlOn } from './sqlite-statements.ts'
import type { Database, DatabaseSchema } from './sql.ts'

const lockedMs = 2_000

/** Reading with a journal would create or repair its files. So a file without a journal is opened as immutable, and one with
 * a journal by its existing index; a journal without an index cannot be read otherwise. */
export function openToLook(path: string, timeout = lockedMs): DatabaseSync {
  if (!existsSync(path)) throw new Error('there is no such file')
  const file = realpathSync(path)
  const url = pathToFileURL(file)
  if (!existsSync(`${file}-wal`)) url.search = '?immutable=1'
  else if (existsSync(`${file}-shm`)) url.search = '?readonly_shm=1'
  return new DatabaseSync(url, { readOnly: true, timeout })
}

const refuse = async (): Promise<never> => {
  throw new Error('this store was opened for reading only')
}

export function lookAtSqlite(path: string, schema: DatabaseSchema): Database {
  let db: DatabaseSync | undefined
  try {
    const opened = openToLook(path)
    db = opened
    const found = Number(db.prepare('PRAGMA user_version').get()?.['user_version'])
    return {
      driver: 'sqlite',
      schema,
      place: `sqlite:${path}`,
      schemaFound: found,
      cacheMs: 0,
      outage: {},
      ...sqlOn(db),
      changes: () => undefined,
      run: refuse,
      transaction: refuse,
      scrub: () => {},
      compact: async () => false,
      check: async () => {},
      close: async () => opened.close(),
    }
  } catch (error) {
    db?.close()
    throw cannotOpen(path, error)
  }
}
