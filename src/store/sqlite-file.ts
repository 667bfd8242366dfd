// One SQLite file: made for its owner alone, brought up to date, and watched while it is open.
import { closeSync, existsSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { migrations, refuseNewer } from './migrations.ts'
import { copying, type Opening, unfinishedWords } from './sql.ts'

/** nothing else runs yet, so SQLite itself may wait for a lock */
const openingMs = 5_000
/** how long a replaced file may go unnoticed */
const watchMs = 1_000

export interface SqliteFile {
  readonly reader: DatabaseSync
  readonly writer: DatabaseSync
  /** the schema that was found */
  readonly found: number
  /** throws when the file is no longer the one at the path */
  readonly watch: () => void
}

const versionOf = (db: DatabaseSync): number => Number(db.prepare('PRAGMA user_version').get()?.['user_version'])

function migrate(db: DatabaseSync): number {
  const found = versionOf(db)
  // nothing is written where nothing is due: a reader needs no room on the disk
  if (found === migrations.length) return found
  // the lock comes first, so that two processes over a new file do not both find it empty
  db.exec('BEGIN IMMEDIATE')
  const version = versionOf(db)
  refuseNewer(version)
  for (const step of migrations.slice(version)) db.exec(step.sqlite)
  db.exec(`PRAGMA user_version = ${migrations.length}`)
  db.exec('COMMIT')
  return found
}

function prepareFile(path: string, mayMake: boolean) {
  if (!mayMake && !existsSync(path)) throw new Error('there is no such file')
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // made by us and not by SQLite, so that nobody else may read it; the journal files take its mode over
  closeSync(openSync(path, 'a', 0o600))
}

function openWriter(path: string, { migrate: up = true, unfinished = false }: Opening): [DatabaseSync, number] {
  prepareFile(path, up)
  const db = new DatabaseSync(path, { timeout: openingMs })
  try {
    let found = versionOf(db)
    // before the journal's mode is set, which writes
    if (up) refuseNewer(found)
    if (up) db.exec('PRAGMA journal_mode = WAL')
    // what is removed is overwritten: sealed keys do not stay in the file
    db.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON')
    if (up) found = migrate(db)
    if (up && !unfinished && db.prepare('SELECT 1 FROM secrets WHERE name = ?').get(copying))
      throw new Error(unfinishedWords)
    db.exec('PRAGMA busy_timeout = 0')
    return [db, found]
  } catch (error) {
    db.close()
    throw error
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

export function openFile(path: string, opening: Opening): SqliteFile {
  let [writer, reader]: (DatabaseSync | undefined)[] = []
  try {
    const [db, found] = openWriter(path, opening)
    writer = db
    reader = new DatabaseSync(path, { timeout: openingMs })
    reader.exec('PRAGMA query_only = ON')
    // the first read makes the journal's files
    reader.prepare('SELECT 1 FROM sqlite_schema').get()
    reader.exec('PRAGMA busy_timeout = 0')
    return { reader, writer: db, found, watch: watchFile(path) }
  } catch (error) {
    reader?.close()
    writer?.close()
    throw new Error(`The store ${path} cannot be opened: ${(error as Error).message}`, { cause: error })
  }
}
