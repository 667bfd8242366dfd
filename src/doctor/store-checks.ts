// Whether the store is there, sound, has room and can be written, and which schema it has. Nothing in it is touched. Long because
// each fault has its words.
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { locate } from '../office.ts'
import { type Look, lookAtStore } from '../store/look.ts'
import { migrations } from '../store/migrations.ts'
import { copying, unfinishedWords } from '../store/sql.ts'
import { otherThanFile } from './file-check.ts'
import { fail, ok, type Verdict, warn } from './finding.ts'
import type { Patient } from './patient.ts'
import { judgeModes } from './store-modes.ts'

const megabyte = 1024 * 1024
const leastFree = 100 * megabyte
/** a larger file takes longer to look through than anybody waits for a check, or than the callers of this service shall wait */
const mostLooked = { beside: 256 * megabyte, within: 32 * megabyte }

const fileOf = (location: string): string | undefined => /^sqlite:(.*)$/.exec(location)?.[1]

/** why not, in a code; undefined where it may */
function unwritableFor(path: string): string | undefined {
  try {
    accessSync(path, constants.W_OK)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
}

const asUser = 'Run this as the user of the service, or let that user write the file and its folder.'
const mounted = 'Mount the file system so that it can be written, or set `store` to a place that can.'

/** the folder that is there, of those that a path leads through */
const standing = (path: string): string => (existsSync(path) ? path : standing(dirname(path)))

const judgeEmpty = (says: string): Verdict =>
  warn(says, {
    cause: 'the service has not been started with these settings',
    cure: 'Nothing, if this is a first start, which makes it. Else the setting `store` names another place than before.',
    stops: 'there is no store yet',
  })

function judgeMissing(path: string): Verdict {
  const folder = standing(dirname(path))
  const isFolder = statSync(folder).isDirectory()
  if (!isFolder || unwritableFor(folder) !== undefined)
    return fail('There is no store, and none can be made.', {
      cause: isFolder ? `${folder} cannot be written` : `${folder} is no folder`,
      cure: 'Let the service write there, or set `store` to another place.',
    })
  return judgeEmpty(`There is no store ${path} yet.`)
}

/** with the code of the reason */
function unwritable(path: string): readonly [path: string, code: string | undefined] | undefined {
  const there = [path, `${path}-wal`, `${path}-shm`].filter((file) => existsSync(file))
  return [...there, dirname(path)]
    .map((one) => [one, unwritableFor(one)] as const)
    .find(([, code]) => code !== undefined)
}

/** what is still to be made there: without this right, as PostgreSQL gives it to owners alone, nothing starts */
async function judgeMaking({ driver, sql }: Look): Promise<Verdict | undefined> {
  if (driver === 'sqlite') return undefined
  const row = await sql.one("SELECT has_schema_privilege(current_schema(), 'CREATE') AS may")
  if (String(row?.['may']) === 'true') return undefined
  return fail('The store cannot be written.', {
    cause: 'the user of the store may not make tables there',
    cure: 'Let that user own the database, or run `vitrine store migrate` with one that may make tables.',
  })
}

/** tables of something else are no first start, though the service would put its own beside them */
async function judgeUnused({ driver, sql }: Look): Promise<Verdict> {
  const tables =
    driver === 'sqlite'
      ? 'SELECT name FROM sqlite_schema LIMIT 1'
      : 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() LIMIT 1'
  if (!(await sql.one(tables))) return judgeEmpty('There is nothing in the store yet.')
  return warn('What stands in place of the store is of another program.', {
    cause: 'it holds tables, and none of them is of Vitrine',
    cure: 'Set `store` to a place of its own; if it is meant so, the first start adds its tables there.',
    stops: 'there is no store yet',
  })
}

async function judgeFile({ sql }: Look, path: string, most: number): Promise<Verdict> {
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
      cure: 'Make room: without it no key can be issued or revoked, and the audit cannot be written.',
    })
  return ok(
    isSmall ? `${path} is sound and can be written.` : `${path} opens; \`vitrine store check\` looks it through.`,
  )
}

const damaged = (words: string): Verdict =>
  fail('The store is damaged.', {
    cause: words.replaceAll('\n', '; '),
    cure: 'Stop the service, keep a copy of the file, and restore the last backup (docs/guides/backup.md).',
  })

async function judgeServer(look: Look): Promise<Verdict> {
  const { sql, found } = look
  const row = await sql.one("SELECT current_setting('transaction_read_only') AS only, pg_is_in_recovery() AS standby")
  if (row?.['standby'])
    return fail('The store is a hot standby.', {
      cause:
        'the PostgreSQL server is in recovery: it lags behind its primary, and a revoked key may still stand in it',
      cure: 'Set `store` to the primary, or to a name that always leads to it. A service there is not ready.',
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
      ok('The PostgreSQL server answers, and can be written.')
    )
  return fail('The store cannot be written.', {
    cause: 'the user of the store may not insert into its tables',
    cure: 'Grant that user what it needs, or name another one in `store`.',
  })
}

const unopenedWords = 'The store cannot be opened.'

function unopened(error: Error, path: string | undefined): Verdict {
  const cause = typeof error.cause === 'string' ? error.cause : error.message
  if (/malformed|not a database/.test(cause)) return damaged(cause)
  const cure = /locked|busy/.test(cause)
    ? 'Another program has the store to itself, such as a backup or a shell of SQLite: find it (`fuser`, `lsof`), and let it end.'
    : path === undefined
      ? 'See whether the PostgreSQL server runs, and whether the setting `store` and its password are right.'
      : 'See whether this user may read the file, and whether it is a store: `vitrine store check` says more.'
  return fail(unopenedWords, { cause, cure })
}

async function judgeFound(look: Look, path: string | undefined, { listening }: Patient): Promise<Verdict> {
  const most = listening ? mostLooked.within : mostLooked.beside
  const verdict = await (path === undefined ? judgeServer(look) : judgeFile(look, path, most))
  if (verdict.state === 'fail') return verdict
  const mark = await look.sql.one('SELECT 1 AS one FROM secrets WHERE name = ?', [copying])
  return mark ? fail('The store is half copied.', { cause: unfinishedWords }) : verdict
}

/** what comes when nobody waits for it any more would never be closed */
async function openLook(location: string, signal: AbortSignal): Promise<Look> {
  const look = await lookAtStore(location)
  if (signal.aborted) await look.store.close()
  signal.throwIfAborted()
  return look
}

export async function judgeStore(patient: Patient, signal: AbortSignal): Promise<Verdict> {
  const location = locate(patient.folder, patient.settings.store)
  const path = fileOf(location)
  try {
    const isMissing = path !== undefined && !existsSync(path)
    const other = path === undefined ? undefined : otherThanFile(path)
    if (other !== undefined)
      return fail(unopenedWords, { cause: `${path}: ${other}`, cure: 'Set `store` to the path of a file.' })
    const look = isMissing ? undefined : await openLook(location, signal)
    patient.look = look
    // a store that does not hold anything yet holds no connections
    patient.isCounted = look === undefined || look.found === 0
    if (look === undefined) return judgeMissing(path ?? '')
    if (look.found === 0) return (await judgeMaking(look)) ?? (await judgeUnused(look))
    return await judgeFound(look, path, patient)
  } catch (error) {
    return unopened(error as Error, path)
  }
}

export function judgeSchema(patient: Patient): Verdict {
  const [found, known] = [patient.look?.found ?? 0, migrations.length]
  patient.sound = found === known
  if (found === known) return ok(`It has schema ${found}, as this version of Vitrine writes it.`)
  if (found > known)
    return fail(`The store has schema ${found}, and this version of Vitrine knows ${known}.`, {
      cause: 'a newer version of Vitrine has used it',
      cure: 'Use that version, or a newer one; or restore a backup of the time before.',
    })
  return warn(`The store has schema ${found}, and this version of Vitrine writes ${known}.`, {
    cause: 'an older version of Vitrine has made it',
    cure: 'Make a backup, then start the service or run `vitrine store migrate`: either brings it up to date.',
    stops: 'the schema is brought up to date first',
  })
}
