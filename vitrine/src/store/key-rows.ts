// Facade keys over SQL. A row whose lists cannot be read is a key without grants, and hides no other key.
import { attempt } from '../../../base/core/attempt.ts'
import { audited } from '../../../base/store/audit-rows.ts'
import { createRecordCache } from '../../../base/store/record-cache.ts'
import type { AuditEntry } from '../../../base/core/audit.ts'
import type { IdRange, KeyRecord, Uses } from './records.ts'
import { rowsOf, type Database, placeholders, type SqlRow, type Sql, type SqlValue } from '../../../base/store/sql.ts'
import { revokingWrite } from './revoking-write.ts'

export const keyColumns: readonly string[] = (
  'id, name, digest, connections, groups, per_minute, created_at, expires_at, revoked_at, note, replaces, ' +
  'last_used_at, accounts, personal, platform_calls_per_hour, ' +
  'apps'
).split(', ')

type Stored = Readonly<
  Record<'connections' | 'groups' | 'accounts', string> & Record<'apps', string | null> & Record<'personal', number>
>

const { valuesOf, recordOf } = rowsOf<Omit<KeyRecord, keyof Stored> & Stored>(keyColumns)
const insert = `INSERT INTO keys (${keyColumns.join()}) VALUES ${placeholders(keyColumns.length)}`

export function readNames(text: SqlValue | undefined): readonly string[] | undefined {
  const read: unknown = attempt(() => JSON.parse(text as string))
  return Array.isArray(read) && read.every((one) => typeof one === 'string') ? read : undefined
}

type Accounts = KeyRecord['accounts']

const isPair = (one: unknown): one is [string, string | null] =>
  Array.isArray(one) &&
  one.length === 2 &&
  typeof one[0] === 'string' &&
  (one[1] === null || typeof one[1] === 'string')

/** pairs of connection and account; NULL in rows of older versions */
export function readAccounts(text: SqlValue | undefined): Accounts | undefined {
  if (text === null || text === undefined) return new Map()
  const read: unknown = attempt(() => JSON.parse(text as string))
  return Array.isArray(read) && read.every(isPair) ? new Map(read) : undefined
}

const writeAccounts = (accounts: Accounts): string => JSON.stringify([...accounts])

function keyOf(row: SqlRow): KeyRecord {
  const connections = readNames(row['connections'])
  const groups = readNames(row['groups'])
  const accounts = readAccounts(row['accounts'])
  const apps = row['apps'] === null ? null : readNames(row['apps'])
  const whole = connections !== undefined && groups !== undefined && accounts !== undefined && apps !== undefined
  const lists = whole
    ? { connections, accounts, groups, apps }
    : { connections: [], accounts: new Map(), groups: [], apps: [] }
  return { ...recordOf(row), ...lists, personal: row['personal'] === 1 }
}

function add(sql: Sql, record: KeyRecord): Promise<number> {
  const [connections, groups] = [JSON.stringify(record.connections), JSON.stringify(record.groups)]
  const accounts = writeAccounts(record.accounts)
  const [personal, apps] = [Number(record.personal), record.apps && JSON.stringify(record.apps)]
  return sql.run(insert, valuesOf({ ...record, connections, groups, accounts, personal, apps }))
}

/** also gives a row for a missing id, parsed like any other: timing does not reveal which it was */
const findOne = 'SELECT keys.* FROM (SELECT 1 AS one) AS one LEFT JOIN keys ON keys.id = ?'
/** a revoked key is a missing one, for the same reason */
const findUnrevoked = `${findOne} AND keys.revoked_at IS NULL`
const absent: SqlRow = {
  connections: '["*"]',
  groups: JSON.stringify(Array.from({ length: 10 }, (_, i) => `group${i}`)),
  accounts: '[]',
  personal: 0,
  apps: null,
}

const finderIn =
  (db: Database, text: string) =>
  async (id: string): Promise<KeyRecord | undefined> => {
    const row = await db.one(text, [id])
    const isThere = typeof row?.['id'] === 'string'
    const record = keyOf(isThere ? row : absent)
    return isThere ? record : undefined
  }

const usesAtOnce = 200

/** many rows per statement: a round trip for each would hold up every other writer */
export async function writeUses(sql: Sql, table: 'keys' | 'connections', uses: Uses): Promise<void> {
  const all = [...uses]
  for (let from = 0; from < all.length; from += usesAtOnce) {
    const some = all.slice(from, from + usesAtOnce)
    const rows = some.map(() => '(CAST(? AS TEXT), CAST(? AS BIGINT))').join()
    await sql.run(
      `UPDATE ${table} SET last_used_at = used.column2 FROM (VALUES ${rows}) AS used
       WHERE ${table}.id = used.column1 AND (last_used_at IS NULL OR last_used_at < used.column2)`,
      some.flat(),
    )
  }
}

/** an account contains no comma and no bracket */
const isUndecided = "(accounts IS NULL OR accounts LIKE '%,null]%')"

const manyRows = (db: Database, forget: (id: string) => void) => ({
  list: async () => (await db.all('SELECT * FROM keys ORDER BY created_at, id')).map(keyOf),
  /** how many active keys end after the first moment and not after the second */
  async ending(after: number, until: number): Promise<number> {
    const text = 'SELECT count(*) AS n FROM keys WHERE revoked_at IS NULL AND expires_at > ? AND expires_at <= ?'
    return Number((await db.one(text, [after, until]))?.['n'])
  },
  async undecided({ after, limit }: IdRange) {
    const text = `SELECT * FROM keys WHERE ${isUndecided} AND id > ? ORDER BY id LIMIT ?`
    return (await db.all(text, [after, limit])).map(keyOf)
  },
  /** sets accounts in one step; a key that was decided meanwhile stays as it is */
  decide: (changes: readonly { readonly before: KeyRecord; readonly accounts: Accounts }[]) =>
    db
      .transaction(async (sql) => {
        const text = 'UPDATE keys SET accounts = ? WHERE id = ? AND (accounts IS NULL OR accounts = ?)'
        for (const { before, accounts } of changes)
          await sql.run(text, [writeAccounts(accounts), before.id, writeAccounts(before.accounts)])
      })
      .finally(() => changes.forEach(({ before }) => forget(before.id))),
})

/** ending now is a state, so that no clock decides; an earlier expiry stays */
const endOf = (at: number, endsAt: number | 'now'): [text: string, values: SqlValue[]] =>
  endsAt === 'now'
    ? ['revoked_at = ?', [at]]
    : ['expires_at = CASE WHEN expires_at < ? THEN expires_at ELSE ? END', [endsAt, endsAt]]

export type KeyRecords = ReturnType<typeof createKeyRows>

export function createKeyRows(db: Database) {
  const cache = createRecordCache(db, finderIn(db, findUnrevoked))

  return {
    async add(record: KeyRecord, entry: AuditEntry) {
      await audited(db, entry, async (sql) => (await add(sql, record)) === 1)
    },
    /** A key that is not revoked. May miss a change elsewhere for half a second. Reads a missing record, and a cached one that does not fit,
     * from the database again: both take as long. */
    find: cache.find,
    /** also a revoked key, and never cached: for management */
    latest: finderIn(db, findOne),
    async page({ after, limit }: IdRange) {
      return (await db.all('SELECT * FROM keys WHERE id > ? ORDER BY id LIMIT ?', [after, limit])).map(keyOf)
    },
    // dropped in any case: a write whose end was not confirmed may have happened
    revoke: (id: string, at: number, entry: AuditEntry) =>
      revokingWrite(db, entry, async (sql) => {
        const text = 'UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL'
        return (await sql.run(text, [at, id])) === 1
      }).finally(() => cache.forget(id)),
    /** Adds the successor; the old key ends at `endsAt`, or is revoked now. False unless it is active and has no active successor. */
    succeed: (
      id: string,
      { at, endsAt }: { at: number; endsAt: number | 'now' },
      successor: KeyRecord,
      entry: AuditEntry,
    ) =>
      revokingWrite(db, entry, async (sql) => {
        const heir =
          'SELECT 1 FROM keys WHERE replaces = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)'
        if (await sql.one(heir, [id, at])) return false
        const [change, values] = endOf(at, endsAt)
        const live = 'id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)'
        const changed = await sql.run(`UPDATE keys SET ${change} WHERE ${live}`, [...values, id, at])
        if (changed === 1) await add(sql, successor)
        return changed === 1
      }).finally(() => cache.forget(id)),
    used: (uses: Uses) => db.transaction((sql) => writeUses(sql, 'keys', uses)),
    ...manyRows(db, cache.forget),
  }
}
