// The one connection that writes to a SQLite file: transactions one by one, and an emptied journal after a removal.
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { createSemaphore } from '../core/semaphore.ts'
import type { Sql } from './sql.ts'
import { forgetPages, retryWhileBusy, sqlOn } from './sqlite-statements.ts'

/** how long a writer waits for other processes, counted from its request so that a queue does not add up */
const writingMs = 1_000
/** how soon after a removal the journal is emptied, and how often that is tried while others read */
const scrubMs = 200
const scrubTries = 20
const compactingMs = 5_000

function undo(db: DatabaseSync, error?: unknown) {
  try {
    if (db.isTransaction) db.exec('ROLLBACK')
    forgetPages(db, error)
  } catch {}
}

export function createWriter(db: DatabaseSync, watch: () => void) {
  const queue = createSemaphore(1)
  const sql = sqlOn(db)
  let due: NodeJS.Timeout | undefined

  async function within<T>(act: (sql: Sql) => Promise<T>, untilMs: number): Promise<T> {
    watch()
    undo(db)
    try {
      await retryWhileBusy(() => db.exec('BEGIN IMMEDIATE'), untilMs)
      const result = await act(sql)
      db.exec('COMMIT')
      return result
    } catch (error) {
      undo(db, error)
      throw error
    }
  }

  /** false while a reader still needs the journal */
  const empty = async () => (await sql.one('PRAGMA wal_checkpoint(TRUNCATE)'))?.['busy'] === 0

  /** best effort: the next removal tries again */
  function scrub(tries: number) {
    due ??= setTimeout(() => {
      due = undefined
      queue(empty).then(
        (done) => void (!done && tries > 1 && scrub(tries - 1)),
        () => undefined,
      )
    }, scrubMs).unref()
  }

  /** overwriting is not enough: the free space of a split page may keep a copy of a row */
  async function compact(): Promise<boolean> {
    const untilMs = performance.now() + compactingMs
    try {
      watch()
      undo(db)
      await retryWhileBusy(() => db.exec('VACUUM'), untilMs)
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
    // a command must not leave removed rows in the journal of a service that goes on
    for (let tries = due ? 5 : 0; tries > 0; tries--) if (await empty().catch(() => true)) break
    clearTimeout(due)
    if (db.isOpen) db.close()
  }

  return {
    transaction<T>(act: (sql: Sql) => Promise<T>): Promise<T> {
      const untilMs = performance.now() + writingMs
      return queue(() => within(act, untilMs))
    },
    elsewhere(act: () => Promise<void>) {
      return queue(async () => {
        watch()
        await act()
      })
    },
    /** rewrites the file and empties the journal; false where readers prevented it */
    compact: () => queue(compact),
    scrub: () => scrub(scrubTries),
    close: () => queue(close),
  }
}
