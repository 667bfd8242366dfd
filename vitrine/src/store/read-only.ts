// Opens a store beside a running service without writing, creating or migrating anything, SQLite's journal included.
import { existsSync, realpathSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { schema } from './migrations.ts'
import { openDatabase } from './open.ts'
import { storeOver } from './store.ts'
import type { Database, Sql } from '../../../base/store/sql.ts'
import { sqlOn } from '../../../base/store/sqlite-statements.ts'

const lockedMs = 2_000

/** Reading with a journal would create or repair its files. So a file without a journal is opened as immutable, and one with
 * a journal by its existing index; a journal without an index cannot be read otherwise. */
function openFile(path: string): DatabaseSync {
  const file = realpathSync(path)
  const url = pathToFileURL(file)
  if (!existsSync(`${file}-wal`)) url.search = '?immutable=1'
  else if (existsSync(`${file}-shm`)) url.search = '?readonly_shm=1'
  return new DatabaseSync(url, { readOnly: true, timeout: lockedMs })
}

const refuse = (): never => {
  throw new Error('this store was opened to be looked at')
}

function lookAtFile(path: string): Database {
  const db = openFile(path)
  try {
    const found = Number(db.prepare('PRAGMA user_version').get()?.['user_version'])
    const sql: Sql = sqlOn(db)
    return {
      driver: 'sqlite',
      schema,
      place: `sqlite:${path}`,
      schemaFound: found,
      cacheMs: 0,
      outage: {},
      one: (text, values) => sql.one(text, values),
      all: (text, values) => sql.all(text, values),
      changes: () => undefined,
      run: async () => refuse(),
      transaction: async () => refuse(),
      scrub: () => {},
      compact: async () => false,
      check: async () => {},
      close: async () => db.close(),
    }
  } catch (error) {
    db.close()
    throw error
  }
}

export type ReadOnlyStore = Awaited<ReturnType<typeof openReadOnlyStore>>

/** Throws an Error with the reason, without a password. `found`: the schema; 0: there is none */
export async function openReadOnlyStore(location: string) {
  const path = /^sqlite:(.*)$/.exec(location)?.[1]
  const db = path === undefined ? await openDatabase(location, { migrate: false }) : lookAtFile(path)
  return { driver: db.driver, found: db.schemaFound, sql: db, store: storeOver(db) }
}
