// The embedded store: one SQLite file, read by the servers and written by the command line at the same time.
import type { DatabaseSync } from 'node:sqlite'
import { Problem } from '../problem.ts'
import { storeOver } from './over.ts'
import type { Store } from './records.ts'
import { type Database, type Opening, Refusal, type Sql } from './sql.ts'
import { createAppender } from './sqlite-appender.ts'
import { createChanges, noteWritten } from './sqlite-changes.ts'
import { createClaim } from './sqlite-claim.ts'
import { openFile } from './sqlite-file.ts'
import { forgetPages, isBusy, none, patiently, prepared, rowOf } from './sqlite-statements.ts'
import { createWriter } from './sqlite-writer.ts'

/** how long a reader waits for a lock, which hardly ever happens */
const readingMs = 250

/** a failure of the disk or a lock is nobody's query: the caller is told to try again, the log is told why */
function refusal(error: unknown): Error {
  return error instanceof Problem || error instanceof Refusal
    ? error
    : new Problem('store_unavailable', { cause: (error as Error).message })
}

interface Reader {
  readonly db: DatabaseSync
  readonly watch: () => void
}

async function read<T>({ db, watch }: Reader, act: () => T): Promise<T> {
  try {
    watch()
    return act()
  } catch (error) {
    forgetPages(db, error)
    if (!isBusy(error)) throw refusal(error)
  }
  try {
    return await patiently(act, performance.now() + readingMs)
  } catch (error) {
    throw refusal(error)
  }
}

async function written<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw refusal(error)
  } finally {
    noteWritten()
  }
}

export function sqliteDatabase(path: string, opening: Opening = {}): Database {
  const { reader: db, writer: writing, found, watch } = openFile(path, opening)
  const statement = prepared(db)
  const reader = { db, watch }
  const writer = createWriter(writing, watch)
  const appender = createAppender(path)
  const { claim, release } = createClaim(path)

  const write = <T>(act: (sql: Sql) => Promise<T>): Promise<T> => written(() => writer.transaction(act))

  return {
    driver: 'sqlite',
    place: `sqlite:${path}`,
    found,
    ...{ remembersMs: 0, attended: {}, claim },
    changes: createChanges(db, watch),
    one: (text, values = none) => read(reader, () => rowOf(statement(text).get(...values))),
    all: (text, values = none) =>
      read(reader, () =>
        statement(text)
          .all(...values)
          .map((row) => rowOf(row)),
      ),
    run: (text, values) => write((sql) => sql.run(text, values)),
    transaction: write,
    append: (deeds) => written(() => writer.elsewhere(() => appender.append(deeds))),
    scrub: () => writer.scrub(),
    compact: () => writer.compact(),
    check: () => read(reader, () => void statement('SELECT 1 FROM secrets WHERE name = ?').get('')),
    async close() {
      await writer.close()
      await appender.close()
      if (db.isOpen) db.close()
      release()
    },
  }
}

export const openSqlite = (path: string): Store => storeOver(sqliteDatabase(path))
