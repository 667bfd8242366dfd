// A thread that appends to the audit log of a SQLite file, so that a slow disk delays no reader.
import { realpathSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { appendEntries } from './audit-chain.ts'
import type { AuditEntry } from '../core/audit.ts'
import { createWriter } from './sqlite-writer.ts'

const openingMs = 5_000
const url = pathToFileURL(realpathSync(workerData as string))
// a deleted file must not be created anew
url.search = '?mode=rw'
const db = new DatabaseSync(url, { timeout: openingMs })
db.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA busy_timeout = 0')
const writer = createWriter(db, () => {})

parentPort?.on('message', (entries: readonly AuditEntry[] | undefined) => {
  if (entries === undefined) return void writer.close().then(() => parentPort?.close())
  const done = writer.transaction((sql) => appendEntries(sql, entries))
  return void done.then(
    () => parentPort?.postMessage(undefined),
    (error: Error) => parentPort?.postMessage(error.message),
  )
})
