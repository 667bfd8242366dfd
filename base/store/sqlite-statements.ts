// Prepared statements of one SQLite connection, and waiting for locks off the event loop.
import { LRUCache } from 'lru-cache'
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { SqlRow, Sql, SqlValue } from './sql.ts'

const statementsKept = 200

export const noValues: readonly SqlValue[] = []

const codeOf = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) % 256

export const isBusy = (error: unknown): boolean => codeOf(error) === 5

/** SQLITE_CORRUPT, SQLITE_NOTADB */
export const isDamage = (error: unknown): boolean => [11, 26].includes(codeOf(error))

/** drops pages that were read from a failing disk, so that reads recover with it */
export function forgetPages(db: DatabaseSync, error: unknown): void {
  const isIoError = codeOf(error) === 10
  if ((isIoError || isDamage(error)) && db.isOpen) db.exec('PRAGMA shrink_memory')
}

/** SQLite itself would wait on the event loop, so we retry a little later */
export async function retryWhileBusy<T>(act: () => T, untilMs: number): Promise<T> {
  for (;;)
    try {
      return act()
    } catch (error) {
      if (!isBusy(error) || performance.now() > untilMs) throw error
      await pause(2 + Math.random() * 6)
    }
}

export function statementCache(db: DatabaseSync): (text: string) => StatementSync {
  const kept = new LRUCache<string, StatementSync>({ max: statementsKept })
  return (text) => {
    let statement = kept.get(text)
    if (!statement) {
      statement = db.prepare(text)
      // a number above 2^53 would otherwise make the driver refuse all rows of the result
      statement.setReadBigInts(true)
      kept.set(text, statement)
    }
    return statement
  }
}

type Read = Record<string, SQLOutputValue>

export function sqliteRow(read: Read): SqlRow
export function sqliteRow(read: Read | undefined): SqlRow | undefined
export function sqliteRow(read: Read | undefined): SqlRow | undefined {
  for (const name in read) if (typeof read[name] === 'bigint') read[name] = Number(read[name])
  return read as SqlRow | undefined
}

export function sqlOn(db: DatabaseSync): Sql {
  const statement = statementCache(db)
  return {
    one: async (text, values = noValues) => sqliteRow(statement(text).get(...values)),
    all: async (text, values = noValues) =>
      statement(text)
        .all(...values)
        .map((row) => sqliteRow(row)),
    run: async (text, values = noValues) => Number(statement(text).run(...values).changes),
  }
}
