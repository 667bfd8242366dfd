// Checks that the store exists, is intact, has room, can be written and has this version's schema. It changes nothing. Long
// because each fault has its own texts.
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { locate } from '../core/located.ts'
import { type ReadOnlyStore, openReadOnlyStore } from '../store/read-only.ts'
import { migrations, schema } from '../store/migrations.ts'
import { copyMark, unfinishedCopy } from '../../../base/store/sql.ts'
import { judgeModes, otherThanFile } from './file-check.ts'
import { fail, ok, type Verdict, warn } from './finding.ts'
import type { Installation } from './installation.ts'

const megabyte = 1024 * 1024
const leastFree = 100 * megabyte
/** larger files are not read through: by a command of its own, or inside a service whose callers would wait */
const mostLooked = { beside: 256 * megabyte, within: 32 * megabyte }

const fileOf = (location: string): string | undefined => /^sqlite:(.*)$/.exec(location)?.[1]

/** The error code; undefined if the file can be written. */
function unwritableFor(path: string): string | undefined {
  try {
    accessSync(path, constants.W_OK)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
}

const asUser = 'Run this as the user of the service, or let that user write the file and its folder.'
const mounted = 'Mount the file system writable, or set `store` to another place.'

/** the nearest folder of the path that exists */
const standing = (path: string): string => (existsSync(path) ? path : standing(dirname(path)))

const judgeEmpty = (says: string): Verdict =>
  warn(says, {
    cause: 'the service has not been started with these settings',
    cure: 'Nothing before a first start, which creates it. Otherwise `store` names another place than before.',
    stops: 'there is no store yet',
  })

function judgeMissing(path: string): Verdict {
  const folder = standing(dirname(path))
  const isFolder = statSync(folder).isDirectory()
  if (!isFolder || unwritableFor(folder) !== undefined)
    return fail('There is no store, and none can be created.', {
      cause: isFolder ? `${folder} cannot be written` : `${folder} is not a folder`,
      cure: 'Let the service write there, or set `store` to another place.',
    })
  return judgeEmpty(`There is no store ${path} yet.`)
}

function unwritable(path: string): readonly [path: string, code: string | undefined] | undefined {
  const there = [path, `${path}-wal`, `${path}-shm`].filter((file) => existsSync(file))
  return [...there, dirname(path)]
    .map((one) => [one, unwritableFor(one)] as const)
    .find(([, code]) => code !== undefined)
}

/** PostgreSQL lets only owners create tables by default, and migrations need that. */
async function judgeMaking({ driver, sql }: ReadOnlyStore): Promise<Verdict | undefined> {
  if (driver === 'sqlite') return undefined
  const row = await sql.one("SELECT has_schema_privilege(current_schema(), 'CREATE') AS may")
  if (String(row?.['may']) === 'true') return undefined
  return fail('The store cannot be written.', {
    cause: 'the user of the store may not create tables there',
    cure: 'Let that user own the database, or run `vitrine store migrate` with a user that may create tables.',
  })
}

/** An empty place is a first start; one with another program's tables is probably a mistake. */
async function judgeUnused({ driver, sql }: ReadOnlyStore): Promise<Verdict> {
  const tables =
    driver === 'sqlite'
      ? 'SELECT name FROM sqlite_schema LIMIT 1'
      : 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() LIMIT 1'
  if (!(await sql.one(tables))) return judgeEmpty('The store is still empty.')
  return warn('The place of the store belongs to another program.', {
    cause: 'it holds tables, and none of them is a table of Vitrine',
    cure: 'Set `store` to a place of its own. If this is intended, the first start adds its tables there.',
    stops: 'there is no store yet',
  })
}

async function judgeFile({ sql }: ReadOnlyStore, path: string, most: number): Promise<Verdict> {
  const isSmall = statSync(path).size <= most
  const rows = isSmall ? await sql.all('PRAGMA quick_check(3)') : []
  const words = rows.map((row) => String(row['quick_check'])).join('; ')
  if (isSmall && words !== 'ok') return damaged(words)
  const closed = unwritable(path)
  if (closed !== undefined) {
    const [one, code] = closed
    return fail('The store cannot be written.', {
      cause: code === 'EROFS' ? `the file system of ${one} is read-only` : `${one} cannot be written by this user`,
      cure: code === 'EROFS' ? mounted : asUser,
    })
  }
  const open = judgeModes(path)
  if (open) return open
  const { bavail, bsize } = statfsSync(dirname(path))
  if (bavail * bsize < leastFree)
    return warn('The disk of the store is nearly full.', {
      cause: `${Math.floor((bavail * bsize) / megabyte)} MB are left`,
      cure: 'Free some space: without it no key can be created or revoked, and the audit log cannot be written.',
    })
  return ok(
    isSmall ? `${path} is intact and can be written.` : `${path} opens. \`vitrine store check\` reads it through.`,
  )
}

const damaged = (words: string): Verdict =>
  fail('The store is damaged.', {
    cause: words.replaceAll('\n', '; '),
    cure: 'Stop the service, keep a copy of the file, and restore the last backup (docs/guides/backup.md).',
  })

async function judgeServer(look: ReadOnlyStore): Promise<Verdict> {
  const { sql, found } = look
  const row = await sql.one("SELECT current_setting('transaction_read_only') AS only, pg_is_in_recovery() AS standby")
  if (row?.['standby'])
    return fail('The store is a hot standby.', {
      cause:
        'the PostgreSQL server is in recovery: it lags behind its primary, and a revoked key may still be valid in it',
      cure: 'Set `store` to the primary, or to a name that always leads to it. With a standby, the service is never ready.',
    })
  if (row?.['only'] === 'on')
    return fail('The store cannot be written.', {
      cause: 'the PostgreSQL server, or this user there, may only read',
      cure: 'Set `store` to the primary server, with a user that may write.',
    })
  const may = await sql.one("SELECT has_table_privilege('keys', 'INSERT') AS may")
  if (String(may?.['may']) === 'true')
    return (
      (found < migrations.length ? await judgeMaking(look) : undefined) ??
      ok('The PostgreSQL server answers, and the store can be written.')
    )
  return fail('The store cannot be written.', {
    cause: 'the user of the store may not insert into its tables',
    cure: 'Grant that user the right, or set another user in `store`.',
  })
}

const unopenedWords = 'The store cannot be opened.'

function unopened(error: Error, path: string | undefined): Verdict {
  const cause = typeof error.cause === 'string' ? error.cause : error.message
  if (/malformed|not a database/.test(cause)) return damaged(cause)
  const cure = /locked|busy/.test(cause)
    ? 'Another program has locked the store, such as a backup or an SQLite shell: find it (`fuser`, `lsof`) and end it.'
    : path === undefined
      ? 'Check whether the PostgreSQL server runs, and whether the setting `store` and its password are right.'
      : 'Check whether this user can read the file, and whether it is a store: `vitrine store check` tells more.'
  return fail(unopenedWords, { cause, cure })
}

async function judgeFound(
  look: ReadOnlyStore,
  path: string | undefined,
  { listening }: Installation,
): Promise<Verdict> {
  const most = listening ? mostLooked.within : mostLooked.beside
  const verdict = await (path === undefined ? judgeServer(look) : judgeFile(look, path, most))
  if (verdict.state === 'fail') return verdict
  const mark = await look.sql.one('SELECT 1 AS one FROM secrets WHERE name = ?', [copyMark])
  return mark ? fail('The store is half copied.', { cause: unfinishedCopy(schema) }) : verdict
}

/** Closes a store that opens after the check has timed out. */
async function openLook(location: string, signal: AbortSignal): Promise<ReadOnlyStore> {
  const look = await openReadOnlyStore(location)
  if (signal.aborted) await look.store.close()
  signal.throwIfAborted()
  return look
}

export async function judgeStore(installation: Installation, signal: AbortSignal): Promise<Verdict> {
  const location = locate(installation.folder, installation.settings.store)
  const path = fileOf(location)
  try {
    const isMissing = path !== undefined && !existsSync(path)
    const other = path === undefined ? undefined : otherThanFile(path)
    if (other !== undefined)
      return fail(unopenedWords, { cause: `${path}: ${other}`, cure: 'Set `store` to the path of a file.' })
    const look = isMissing ? undefined : await openLook(location, signal)
    installation.openStore = look
    installation.isStoreRead = look === undefined || look.found === 0
    if (look === undefined) return judgeMissing(path ?? '')
    if (look.found === 0) return (await judgeMaking(look)) ?? (await judgeUnused(look))
    return await judgeFound(look, path, installation)
  } catch (error) {
    return unopened(error as Error, path)
  }
}

export function judgeSchema(installation: Installation): Verdict {
  const [found, known] = [installation.openStore?.found ?? 0, migrations.length]
  installation.isSchemaCurrent = found === known
  if (found === known) return ok(`It has schema ${found}, the schema of this version.`)
  if (found > known)
    return fail(`The store has schema ${found}, and this version of Vitrine knows ${known}.`, {
      cause: 'a newer version of Vitrine has used it',
      cure: 'Use that version or a newer one, or restore a backup from before.',
    })
  return warn(`The store has schema ${found}, and this version of Vitrine writes ${known}.`, {
    cause: 'an older version of Vitrine created it',
    cure: 'Make a backup, then start the service or run `vitrine store migrate`: both update the schema.',
    stops: 'the schema has to be updated first',
  })
}
