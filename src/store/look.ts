// A store opened to be looked at beside whoever uses it: nothing is written, made or brought up to date, and of SQLite no file
// comes or changes either.
import { existsSync, realpathSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { openDatabase } from './open.ts'
import { storeOver } from './over.ts'
import type { Store } from './records.ts'
import type { Database, Sql } from './sql.ts'
import { sqlOn } from './sqlite-statements.ts'

const lockedMs = 2_000

/**
 * A reader of a journal makes its files where they are not there, and leaves them behind: where nobody has the store open, it
 * is read as one that cannot change. What is there is only read: after a crash a reader would set the index of the journal right.
 * Of a journal alone, without its index, nobody can read but by making one.
 */
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
      ...{ driver: 'sqlite', place: `sqlite:${path}`, found, remembersMs: 0, attended: {} },
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

export interface Look {
  readonly driver: Database['driver']
  /** the schema that was found; 0 where there is none */
  readonly found: number
  /** the plain rows */
  readonly sql: Pick<Database, 'one' | 'all'>
  readonly store: Store
}

/** throws an Error that says why it cannot be opened, without a password */
export async function lookAtStore(location: string): Promise<Look> {
  const path = /^sqlite:(.*)$/.exec(location)?.[1]
  const db = path === undefined ? await openDatabase(location, { migrate: false }) : lookAtFile(path)
  return { driver: db.driver, found: db.found, sql: db, store: storeOver(db) }
}
