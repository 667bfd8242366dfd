// Allows one service at a time over a SQLite file, since it counts rates and quota alone. Commands are not concerned.
import { closeSync, fchownSync, openSync, realpathSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { attempt } from '../core/attempt.ts'
import { type ClaimOptions, holderText } from './sql.ts'
import { isBusy, retryWhileBusy } from './sqlite-statements.ts'

/** longer than a stopping service may take */
const endingMs = 16_000

/** Created once with the store's owner, so that a start by root locks out no later service. Only SQLite may close it: any other
 * close in this process would release the lock. */
function makeFile(path: string, store: string) {
  try {
    const made = openSync(path, 'wx', 0o600)
    const { uid, gid } = statSync(store)
    if (process.getuid?.() === 0) fchownSync(made, uid, gid)
    closeSync(made)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

const cannotLock = (file: string, error: unknown): Error =>
  new Error(`${file} cannot be locked: ${(error as Error).message}`, { cause: error })

function openLock(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: 0 })
  } catch (error) {
    throw cannotLock(file, error)
  }
}

/** Notes who serves. A full disk does not prevent the lock. */
function noteHolder(db: DatabaseSync) {
  try {
    db.exec('CREATE TABLE IF NOT EXISTS holder (host TEXT, process_id INTEGER, since INTEGER); DELETE FROM holder')
    db.prepare('INSERT INTO holder VALUES (?, ?, ?)').run(hostname(), process.pid, Date.now())
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    if (isBusy(error)) throw error
  }
}

function holderOf(db: DatabaseSync): string {
  const row = attempt(() => db.prepare('SELECT host, process_id, since FROM holder').get())
  return row ? ` (${holderText(String(row['host']), Number(row['process_id']), Number(row['since']))})` : ''
}

/** not exclusive, so that others can read who holds it */
function takeLock(db: DatabaseSync) {
  db.exec('BEGIN IMMEDIATE')
  noteHolder(db)
  db.exec('BEGIN IMMEDIATE')
}

/** A lock on a separate file, through SQLite since Node.js has none; the system releases it when the process ends. The file
 * stays: removing it could remove one that another service has just locked. */
export async function claimFile(path: string, { waits, mostMs = endingMs }: ClaimOptions): Promise<() => void> {
  // beside the target of a link, so that every path to the store leads to the same lock
  const file = `${realpathSync(path)}-serving`
  makeFile(file, path)
  const db = openLock(file)
  const take = () => takeLock(db)
  try {
    await retryWhileBusy(take, performance.now() - 1).catch(async (error: unknown) => {
      if (!isBusy(error)) throw error
      waits(mostMs)
      await retryWhileBusy(take, performance.now() + mostMs)
    })
    return () => db.close()
  } catch (error) {
    const holder = holderOf(db)
    db.close()
    if (!isBusy(error)) throw cannotLock(file, error)
    throw new Error(
      `The store ${path} is served by another service${holder}, which is still running. Stop it, or set \`store\` to another file. Several services together need PostgreSQL.`,
      { cause: error },
    )
  }
}

export function createClaim(path: string) {
  let held = () => {}
  return {
    claim: async (options: ClaimOptions): Promise<void> => void (held = await claimFile(path, options)),
    release: (): void => {
      held()
      held = () => {}
    },
  }
}
