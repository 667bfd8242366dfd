// The embedded store: one SQLite file, read by the servers and written by the command line at the same time.
import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Problem } from '../problem.ts'
import { migrations } from './migrations.ts'
import type { KeyRecord, Store } from './records.ts'

/** node:sqlite blocks the event loop while it waits, so a running server waits only this long */
const busyMs = 250
const openingMs = 5_000
/** how long a replaced file may go unnoticed */
const watchMs = 1_000

interface Row {
  id: string
  name: string
  digest: Uint8Array
  connections: string
  groups: string
  per_minute: number | null
  created_at: number
  expires_at: number | null
  revoked_at: number | null
}

const recordOf = (row: Row): KeyRecord => ({
  id: row.id,
  name: row.name,
  digest: row.digest,
  connections: JSON.parse(row.connections),
  groups: JSON.parse(row.groups),
  perMinute: row.per_minute,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
})

const versionOf = (db: DatabaseSync): number => Number(db.prepare('PRAGMA user_version').get()?.['user_version'])

function migrate(db: DatabaseSync) {
  // nothing is written where nothing is due: a reader needs no room on the disk
  if (versionOf(db) === migrations.length) return
  // the lock comes first, so that two processes over a new file do not both find it empty
  db.exec('BEGIN IMMEDIATE')
  const version = versionOf(db)
  if (version > migrations.length)
    throw new Error(`it has schema ${version}, and this version of Vitrine knows ${migrations.length}: use a newer one`)
  for (const step of migrations.slice(version)) db.exec(step)
  db.exec(`PRAGMA user_version = ${migrations.length}`)
  db.exec('COMMIT')
}

function openDatabase(path: string): DatabaseSync {
  let db: DatabaseSync | undefined
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    // made by us and not by SQLite, so that nobody else may read it; the journal files take its mode over
    closeSync(openSync(path, 'a', 0o600))
    db = new DatabaseSync(path, { timeout: openingMs })
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
    migrate(db)
    db.exec(`PRAGMA busy_timeout = ${busyMs}`)
    return db
  } catch (error) {
    db?.close()
    throw new Error(`The store ${path} cannot be opened: ${(error as Error).message}`, { cause: error })
  }
}

/** Refuses to answer from a file that is no longer the one at the path: a revocation would be written to the other. */
function watchFile(path: string): () => void {
  // the journal's files stand beside the target of a link; without them, too, a write goes elsewhere
  const home = realpathSync(path)
  const stampOf = () =>
    [path, home, `${home}-wal`, `${home}-shm`]
      .map((file) => statSync(file, { throwIfNoEntry: false }))
      .map((stat) => (stat ? `${stat.dev} ${stat.ino}` : 'none'))
      .join()
  const ours = stampOf()
  let checkedMs = performance.now()
  return () => {
    if (performance.now() - checkedMs < watchMs) return
    if (stampOf() !== ours) throw new Error('the store file was replaced under the running service: restart it')
    checkedMs = performance.now()
  }
}

/** a failure of the disk or a lock is nobody's query: the caller is told to try again, the log is told why */
async function guarded<T>(act: () => T): Promise<T> {
  try {
    return act()
  } catch (error) {
    throw new Problem('store_unavailable', { cause: (error as Error).message })
  }
}

export function openSqlite(path: string): Store {
  const db = openDatabase(path)
  const find = db.prepare('SELECT * FROM keys WHERE id = ?')
  const list = db.prepare('SELECT * FROM keys ORDER BY created_at, id')
  const add = db.prepare('INSERT INTO keys VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const revoke = db.prepare('UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL')
  const keep = db.prepare('INSERT INTO secrets VALUES (?, ?) ON CONFLICT DO NOTHING')
  const recall = db.prepare('SELECT value FROM secrets WHERE name = ?')
  // the first read makes the journal's files
  recall.get('')
  const watch = watchFile(path)
  return {
    keys: {
      add: (r) =>
        guarded(() => {
          const [connections, groups] = [JSON.stringify(r.connections), JSON.stringify(r.groups)]
          add.run(r.id, r.name, r.digest, connections, groups, r.perMinute, r.createdAt, r.expiresAt, r.revokedAt)
        }),
      find: (id) =>
        guarded(() => {
          watch()
          const row = find.get(id) as Row | undefined
          return row && recordOf(row)
        }),
      list: () => guarded(() => (list.all() as unknown as Row[]).map(recordOf)),
      revoke: (id, at) => guarded(() => revoke.run(at, id).changes === 1),
    },
    secret: (name) =>
      guarded(() => {
        if (!recall.get(name)) keep.run(name, randomBytes(32))
        return recall.get(name)?.['value'] as Uint8Array
      }),
    check: () =>
      guarded(() => {
        watch()
        recall.get('')
      }),
    close: async () => db.close(),
  }
}
