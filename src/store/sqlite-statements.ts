// Statements on one connection to SQLite, prepared once; and patience that does not hold up the event loop.
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { Row, Sql, Value } from './sql.ts'

const statementsKept = 200

export const none: readonly Value[] = []

const codeOf = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) % 256

export const isBusy = (error: unknown): boolean => codeOf(error) === 5

/** pages that were read from a bad disk are not kept: when it is mended, so are we */
export function forgetPages(db: DatabaseSync, error: unknown): void {
  // SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTADB
  if ([10, 11, 26].includes(codeOf(error)) && db.isOpen) db.exec('PRAGMA shrink_memory')
}

/** SQLite itself would wait on the event loop, so it never waits: we come back a little later */
export async function patiently<T>(act: () => T, untilMs: number): Promise<T> {
  for (;;)
    try {
      return act()
    } catch (error) {
      if (!isBusy(error) || performance.now() > untilMs) throw error
      await pause(2 + Math.random() * 6)
    }
}

export function prepared(db: DatabaseSync): (text: string) => StatementSync {
  const kept = new Map<string, StatementSync>()
  return (text) => {
    let statement = kept.get(text)
    if (!statement) {
      if (kept.size >= statementsKept) kept.clear()
      statement = db.prepare(text)
      // a number beyond what JavaScript counts exactly would make the driver refuse the row, and all that stand beside it
      statement.setReadBigInts(true)
      kept.set(text, statement)
    }
    return statement
  }
}

type Read = Record<string, SQLOutputValue>

/** with plain numbers: one that was too large is off by a little, and as wrong as it was */
export function rowOf(read: Read): Row
export function rowOf(read: Read | undefined): Row | undefined
export function rowOf(read: Read | undefined): Row | undefined {
  for (const name in read) if (typeof read[name] === 'bigint') read[name] = Number(read[name])
  return read as Row | undefined
}

export function sqlOn(db: DatabaseSync): Sql {
  const statement = prepared(db)
  return {
    one: async (text, values = none) => rowOf(statement(text).get(...values)),
    all: async (text, values = none) =>
      statement(text)
        .all(...values)
        .map((row) => rowOf(row)),
    run: async (text, values = none) => Number(statement(text).run(...values).changes),
  }
}
