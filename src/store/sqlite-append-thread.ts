// A thread that appends lines to the audit of a SQLite file: a disk that is slow to keep them holds up no reader.
import { realpathSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { append } from './chain.ts'
import type { Deed } from './records.ts'
import { createWriter } from './sqlite-writer.ts'

const openingMs = 5_000

const url = pathToFileURL(realpathSync(workerData as string))
// a file that is gone is not made anew
url.search = '?mode=rw'
const db = new DatabaseSync(url, { timeout: openingMs })
db.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA busy_timeout = 0')
const writer = createWriter(db, () => {})

parentPort?.on('message', (deeds: readonly Deed[] | undefined) => {
  if (deeds === undefined) return void writer.close().then(() => parentPort?.close())
  const done = writer.transaction((sql) => append(sql, deeds))
  return void done.then(
    () => parentPort?.postMessage(undefined),
    (error: Error) => parentPort?.postMessage(error.message),
  )
})
