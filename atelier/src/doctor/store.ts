// Examines the store and its images. The store is only read: the service may run, or be older.
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { attempt } from '../../../base/core/attempt.ts'
import type { Database } from '../../../base/store/sql.ts'
import type { Engine } from '../engine/port.ts'
import type { Settings } from '../settings.ts'
import { openDatabase } from '../store/open.ts'
import { storeOver } from '../store/store.ts'
import { examineImages } from './engine-content.ts'
import { examineConfinement } from './examine-confinement.ts'
import { examineResident } from './examine-resident.ts'
import type { Finding } from './finding.ts'

/** larger files are not read through */
const mostLooked = 256 * 1024 * 1024

/** of a SQLite store */
export const fileOf = (location: string): string | undefined => /^sqlite:(.*)$/.exec(location)?.[1]

const noImage: Finding = {
  problem: 'There is no base image, so no container can be created.',
  fix: 'atelier images import --name base --reference REFERENCE',
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** the nearest folder of the path that exists */
const standing = (path: string): string => (existsSync(path) ? path : standing(dirname(path)))

const unwritable = (place: string, cause: string): Finding => ({
  problem: `The store ${place} cannot be written: ${cause}.`,
  fix: 'Check the disk, and that this user may write there. Run this as the user of the service.',
})

function examineMissing(file: string): Finding {
  const folder = standing(dirname(file))
  const isFolder = attempt(() => statSync(folder).isDirectory())
  return isFolder && isWritable(folder)
    ? noImage
    : {
        problem: `There is no store ${file}, and ${folder} cannot be written.`,
        fix: 'Check the setting "store", and that this user may write there.',
      }
}

async function whyUnwritable(db: Database, file: string | undefined): Promise<string | undefined> {
  if (file !== undefined) {
    const parts = [file, `${file}-wal`, `${file}-shm`].filter((part) => existsSync(part))
    const closed = [...parts, dirname(file)].find((part) => !isWritable(part))
    return closed && `this user may not write ${closed}`
  }
  const row = await db.one(
    `SELECT current_setting('transaction_read_only') AS only, pg_is_in_recovery() AS standby,
     has_table_privilege('accounts', 'INSERT') AS may`,
  )
  if (row?.['standby']) return 'the server is a hot standby'
  if (row?.['only'] === 'on') return 'the server, or this user there, may only read'
  return row?.['may'] ? undefined : 'the user of the store may not insert into its tables'
}

async function examineContent(db: Database): Promise<Finding[]> {
  const rows = await db.all('PRAGMA quick_check(1)')
  const words = String(rows[0]?.['quick_check'])
  if (words === 'ok') return []
  const fix = 'Stop the service, keep a copy of the file, and restore the last backup (docs/backup.md).'
  return [{ problem: `The store ${db.place} is damaged: ${words.replaceAll('\n', '; ')}.`, fix }]
}

function examineSchema(db: Database): Finding[] {
  const { schema, schemaFound: found, place } = db
  const known = schema.migrations.length
  if (found === 0 || found === known) return []
  if (found < known) {
    const problem = `The store ${place} has schema ${found}, which is older than the ${known} of this version: the next start of the service migrates it.`
    return [{ problem, fix: 'Make a backup, then start the service with this version.' }]
  }
  const problem = `The store ${place} has schema ${found}, and this version knows ${known}: a newer version has used it.`
  return [{ problem, fix: 'Use that version or a newer one, or restore a backup from before.' }]
}

async function examineRows(db: Database, settings: Settings, engine: Engine | undefined): Promise<Finding[]> {
  const images = await storeOver(db).images.living()
  const bases = images.filter(({ account }) => account === null)
  if (bases.length === 0) return [noImage]
  if (!engine) return []
  const ofResident = settings['engine.commands'] === 'resident' ? await examineResident(engine, bases) : []
  const ofProfile = await examineConfinement(engine, bases)
  return [...(await examineImages(engine, images)), ...ofProfile, ...ofResident]
}

async function examineOpen(db: Database, file: string | undefined, settings: Settings, engine: Engine | undefined) {
  if (db.schemaFound === 0) return [noImage]
  const isRead = file !== undefined && statSync(file).size <= mostLooked
  const damage = isRead ? await examineContent(db) : []
  if (damage.length > 0) return damage
  const reason = await whyUnwritable(db, file)
  const found = [...examineSchema(db), ...(reason === undefined ? [] : [unwritable(db.place, reason)])]
  return db.schemaFound === db.schema.migrations.length
    ? [...found, ...(await examineRows(db, settings, engine))]
    : found
}

/** `engine`: undefined if it does not answer */
export async function examineStore(
  settings: Settings,
  location: string,
  engine: Engine | undefined,
): Promise<Finding[]> {
  const file = fileOf(location)
  if (file !== undefined && !existsSync(file)) return [examineMissing(file)]
  let db: Database | undefined
  try {
    db = await openDatabase(location, { migrate: false })
    return await examineOpen(db, file, settings, engine)
  } catch (error) {
    const fix = 'Check the setting "store", and that this user may read and write there.'
    return [{ problem: (error as Error).message, fix }]
  } finally {
    await db?.close()
  }
}
