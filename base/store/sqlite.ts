// The embedded store: one SQLite file that the service reads and commands write at the same time.
import type { DatabaseSync } from 'node:sqlite'
import { Problem } from '../core/problem.ts'
import { type Database, type Opening, StoreRefusal, type DatabaseSchema, type Sql } from './sql.ts'
import { createAppender } from './sqlite-appender.ts'
import { createChanges, noteWritten, openSqliteFile } from './sqlite-file.ts'
import { createClaim } from './sqlite-claim.ts'
import { lookAtSqlite } from './sqlite-look.ts'
import { forgetPages, isBusy, noValues, retryWhileBusy, statementCache, sqliteRow } from './sqlite-statements.ts'
import { createWriter } from './sqlite-writer.ts'

const readingMs = 250

/** a disk or lock failure: the caller gets a retryable error, and the log says why */
function refusal(error: unknown): Error {
  return error instanceof Problem || error instanceof StoreRefusal
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
    return await retryWhileBusy(act, performance.now() + readingMs)
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

export function sqliteDatabase(path: string, schema: DatabaseSchema, opening: Opening = {}): Database {
  if (opening.migrate === false) return lookAtSqlite(path, schema)
  const { reader: db, writer: writing, found, watch } = openSqliteFile(path, schema, opening)
  const statement = statementCache(db)
  const reader = { db, watch }
  const writer = createWriter(writing, watch)
  const appender = createAppender(path)
  const { claim, release } = createClaim(path)

  const write = <T>(act: (sql: Sql) => Promise<T>): Promise<T> => written(() => writer.transaction(act))

  return {
    driver: 'sqlite',
    schema,
    place: `sqlite:${path}`,
    schemaFound: found,
    cacheMs: 0,
    outage: {},
    claim,
    changes: createChanges(db, watch),
    one: (text, values = noValues) => read(reader, () => sqliteRow(statement(text).get(...values))),
    all: (text, values = noValues) =>
      read(reader, () =>
        statement(text)
          .all(...values)
          .map((row) => sqliteRow(row)),
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
