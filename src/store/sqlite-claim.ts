// One service at a time over one SQLite file: it counts rates and the quota alone. Commands beside it are not concerned.
import { closeSync, fchownSync, openSync, realpathSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { ClaimOptions } from './records.ts'
import { isBusy, patiently } from './sqlite-statements.ts'

/** longer than a service that was told to stop may take, src/commands/lifetime.ts */
const endingMs = 16_000

/**
 * Made once, and closed by SQLite alone: a lock of this process ends with any other descriptor of the file. It belongs to the owner
 * of the store, as its journal does: a start by root locks no later service out.
 */
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

/**
 * A lock on a file of its own, which the operating system lets go of when the process ends, however it ends. SQLite takes it,
 * since Node.js has none. It stays beside the store when it is free: removed, it could be one that another has just opened.
 */
export async function claimFile(path: string, { waits, mostMs = endingMs }: ClaimOptions): Promise<() => void> {
  // beside the target of a link, so that every path to the store leads to the same lock
  const file = `${realpathSync(path)}-serving`
  makeFile(file, path)
  const db = openLock(file)
  const take = () => db.exec('BEGIN EXCLUSIVE')
  try {
    await patiently(take, performance.now() - 1).catch(async (error: unknown) => {
      if (!isBusy(error)) throw error
      waits(mostMs)
      await patiently(take, performance.now() + mostMs)
    })
    return () => db.close()
  } catch (error) {
    db.close()
    if (!isBusy(error)) throw cannotLock(file, error)
    throw new Error(
      `The store ${path} is served by another service, which is still running. Stop it, or set \`store\` to another file. Several services together need PostgreSQL.`,
      { cause: error },
    )
  }
}

/** `claim` as the store has it; `release` is nothing where nothing was claimed */
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
