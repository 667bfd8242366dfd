// The one connection that writes to a SQLite file: transactions in a row, and the journal emptied after a removal.
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from './sql.ts'
import { forgetPages, patiently, sqlOn } from './sqlite-statements.ts'

/** how long a writer waits behind writers of other processes; from when it was asked, so that a queue does not add up */
const writingMs = 1_000
/** how soon after a removal the journal is emptied, and how often that is tried while others read */
const scrubMs = 200
const scrubTries = 20
/** how long is tried to rewrite the file beside others */
const compactingMs = 5_000

/** one after the other, whatever becomes of each */
function createQueue(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (act) => {
    const mine = last.then(act)
    last = mine.catch(() => undefined)
    return mine
  }
}

function undo(db: DatabaseSync, error?: unknown) {
  try {
    if (db.isTransaction) db.exec('ROLLBACK')
    forgetPages(db, error)
  } catch {
    // the next transaction tries again
  }
}

export interface Writer {
  /** `act` between BEGIN and COMMIT, alone */
  transaction<T>(act: (sql: Sql) => Promise<T>): Promise<T>
  /** in turn with the transactions, by a connection of its own */
  elsewhere(act: () => Promise<void>): Promise<void>
  /** rewrites the file and empties the journal; false where others did not let us */
  compact(): Promise<boolean>
  /** empties the journal soon */
  scrub(): void
  close(): Promise<void>
}

export function createWriter(db: DatabaseSync, watch: () => void): Writer {
  const queue = createQueue()
  const sql = sqlOn(db)
  let due: NodeJS.Timeout | undefined

  async function within<T>(act: (sql: Sql) => Promise<T>, untilMs: number): Promise<T> {
    watch()
    undo(db)
    try {
      await patiently(() => db.exec('BEGIN IMMEDIATE'), untilMs)
      const result = await act(sql)
      db.exec('COMMIT')
      return result
    } catch (error) {
      undo(db, error)
      throw error
    }
  }

  /** false where somebody still reads an old state, who keeps the journal */
  const empty = async () => (await sql.one('PRAGMA wal_checkpoint(TRUNCATE)'))?.['busy'] === 0

  /** best effort: a full disk ends it, the next removal comes back to it */
  function scrub(tries: number) {
    due ??= setTimeout(() => {
      due = undefined
      queue(empty).then(
        (done) => void (!done && tries > 1 && scrub(tries - 1)),
        () => undefined,
      )
    }, scrubMs).unref()
  }

  /** overwriting is not enough: a page that was split may keep a copy of a row in its free space */
  async function compact(): Promise<boolean> {
    const untilMs = performance.now() + compactingMs
    try {
      watch()
      undo(db)
      await patiently(() => db.exec('VACUUM'), untilMs)
      while (!(await empty())) {
        if (performance.now() > untilMs) return false
        await pause(20)
      }
      return true
    } catch {
      return false
    }
  }

  async function close() {
    // a command that ends at once leaves nothing behind in the journal of a service that goes on
    for (let tries = due ? 5 : 0; tries > 0; tries--) if (await empty().catch(() => true)) break
    clearTimeout(due)
    if (db.isOpen) db.close()
  }

  return {
    transaction(act) {
      const untilMs = performance.now() + writingMs
      return queue(() => within(act, untilMs))
    },
    elsewhere(act) {
      return queue(async () => {
        watch()
        await act()
      })
    },
    compact: () => queue(compact),
    scrub: () => scrub(scrubTries),
    close: () => queue(close),
  }
}
