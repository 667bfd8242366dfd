// Copies of a SQLite store: taken while the service writes, checked, and put back.
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { refuseNewer } from '../../../base/store/sql.ts'
import { claimFile } from '../../../base/store/sqlite-claim.ts'
import { openToLook } from '../../../base/store/sqlite-look.ts'
import { schema } from './migrations.ts'

const counted = ['accounts', 'api_keys', 'containers', 'images'] as const
const waitMs = 10_000

export type CopyCounts = Readonly<Record<(typeof counted)[number], number>>

function flush(path: string) {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}

/** throws an Error that says what is wrong with the copy */
export function checkCopy(file: string): CopyCounts {
  if (!existsSync(file)) throw new Error(`There is no ${file}.`)
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { readOnly: true })
    const found = db.prepare('PRAGMA integrity_check').all()
    if (found[0]?.['integrity_check'] !== 'ok') throw new Error('it is damaged')
    const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version'])
    if (version === 0) throw new Error('it is no store of this service')
    refuseNewer(version, schema)
    const numbers = counted.map((table) => [
      table,
      Number(db?.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']),
    ])
    return Object.fromEntries(numbers) as CopyCounts
  } catch (error) {
    throw new Error(`${file} cannot be used: ${(error as Error).message}.`, { cause: error })
  } finally {
    db?.close()
  }
}

/** One consistent state of the store in a new file, without what was deleted before. Writers need not wait. */
export function backupSqlite(store: string, copy: string): CopyCounts {
  if (!existsSync(store)) throw new Error(`There is no store ${store}.`)
  // made by us, so that no other user can read it
  closeSync(openSync(copy, 'wx', 0o600))
  const db = openToLook(store, waitMs)
  try {
    db.prepare('VACUUM INTO ?').run(copy)
  } finally {
    db.close()
  }
  flush(copy)
  flush(dirname(copy))
  return checkCopy(copy)
}

/** the earlier file and its journal stay beside the new one under these names */
function moveAside(store: string, at: number) {
  for (const part of ['', '-wal', '-shm'])
    if (existsSync(`${store}${part}`)) renameSync(`${store}${part}`, `${store}.before-${at}${part}`)
}

/** Puts a copy in the place of a store that no service uses; answers where the earlier one is. */
export async function restoreSqlite(copy: string, store: string, at: number): Promise<string | undefined> {
  checkCopy(copy)
  mkdirSync(dirname(store), { recursive: true, mode: 0o700 })
  const isThere = existsSync(store)
  const owner = statSync(isThere ? store : dirname(store))
  const release = isThere ? await claimFile(store, { waits: () => {}, mostMs: 0 }) : () => {}
  try {
    const draft = `${store}.new`
    copyFileSync(copy, draft)
    chmodSync(draft, 0o600)
    if (process.getuid?.() === 0) chownSync(draft, owner.uid, owner.gid)
    flush(draft)
    moveAside(store, at)
    renameSync(draft, store)
    flush(dirname(store))
  } finally {
    release()
  }
  return isThere ? `${store}.before-${at}` : undefined
}
