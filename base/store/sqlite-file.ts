// One SQLite file: created for its owner alone, migrated, and watched while it is open.
import { closeSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDamage } from './sqlite-statements.ts'
import { copyMark, type DatabaseSchema, type Opening, refuseNewer, unfinishedCopy } from './sql.ts'

/** at the opening SQLite itself may wait for a lock */
const openingMs = 5_000
const watchMs = 1_000
const versionOf = (db: DatabaseSync): number => Number(db.prepare('PRAGMA user_version').get()?.['user_version'])

function migrate(db: DatabaseSync, schema: DatabaseSchema): number {
  const { migrations } = schema
  const found = versionOf(db)
  // a reader needs no room on the disk: write only where something is due
  if (found === migrations.length) return found
  // the lock first: two processes must not both find a new file empty
  db.exec('BEGIN IMMEDIATE')
  const version = versionOf(db)
  refuseNewer(version, schema)
  for (const step of migrations.slice(version)) db.exec(step.sqlite)
  db.exec(`PRAGMA user_version = ${migrations.length}`)
  db.exec('COMMIT')
  return found
}

function prepareFile(path: string) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // created by us, so that others cannot read it; the journal's files take over its mode
  closeSync(openSync(path, 'a', 0o600))
}

function openWriter(path: string, schema: DatabaseSchema, { unfinished = false }: Opening): [DatabaseSync, number] {
  prepareFile(path)
  const db = new DatabaseSync(path, { timeout: openingMs })
  try {
    // before journal_mode, which writes
    refuseNewer(versionOf(db), schema)
    db.exec('PRAGMA journal_mode = WAL')
    // secure_delete overwrites deleted rows: sealed keys do not stay in the file
    db.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON')
    const found = migrate(db, schema)
    if (!unfinished && db.prepare('SELECT 1 FROM secrets WHERE name = ?').get(copyMark))
      throw new Error(unfinishedCopy(schema))
    db.exec('PRAGMA busy_timeout = 0')
    return [db, found]
  } catch (error) {
    db.close()
    throw error
  }
}

/** Stops serving from a file that was replaced: a revocation would be written to the other one. */
function watchFile(path: string): () => void {
  // the journal lies beside the target of a link; without it, writes go elsewhere, too
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

export const cannotOpen = (path: string, error: unknown): Error =>
  new Error(
    isDamage(error)
      ? `The store ${path} is damaged, or no store: ${(error as Error).message}. Check the setting \`store\`; if it is right, keep a copy of the file and restore the last backup.`
      : `The store ${path} cannot be opened: ${(error as Error).message}`,
    { cause: error },
  )

export function openSqliteFile(path: string, schema: DatabaseSchema, opening: Opening) {
  let [writer, reader]: (DatabaseSync | undefined)[] = []
  try {
    const [db, found] = openWriter(path, schema, opening)
    writer = db
    reader = new DatabaseSync(path, { timeout: openingMs })
    reader.exec('PRAGMA query_only = ON')
    reader.prepare('SELECT 1 FROM sqlite_schema').get()
    reader.exec('PRAGMA busy_timeout = 0')
    return { reader, writer: db, found, watch: watchFile(path) }
  } catch (error) {
    reader?.close()
    writer?.close()
    throw cannotOpen(path, error)
  }
}

/** transactions of this process, whose changes count at once */
let written = 0

export const noteWritten = (): void => void written++

/** `reader` must never write: SQLite counts changes of other connections only. Asked once per turn of the event loop, as the
 * query costs system calls. Undefined: unknown. */
export function createChanges(reader: DatabaseSync, watch: () => void): () => number | undefined {
  const dataVersion = reader.prepare('PRAGMA data_version')
  let isAsked = false
  let askedAfter = -1
  let version: number | undefined
  const askAgain = () => (isAsked = false)

  return () => {
    if (isAsked && askedAfter === written) return version
    try {
      watch()
      askedAfter = written
      if (!isAsked) setImmediate(askAgain)
      isAsked = true
      version = Number(dataVersion.get()?.['data_version'])
    } catch {
      version = undefined
    }
    return version
  }
}
