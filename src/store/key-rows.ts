// Facade keys over SQL. A row whose lists cannot be read is a key that opens nothing, and hides no other.
import { audited } from './audit-rows.ts'
import { createKnown } from './known.ts'
import { recentOver } from './recent.ts'
import type { KeyRecord, KeyRecords, Uses } from './records.ts'
import { type Database, marks, type Row, type Sql, type Value } from './sql.ts'
import { taken } from './taken.ts'

export const keyColumns: readonly string[] = (
  'id, name, digest, connections, groups, per_minute, created_at, expires_at, revoked_at, note, replaces, ' +
  'last_used_at, accounts'
).split(', ')

const insert = `INSERT INTO keys (${keyColumns.join()}) VALUES ${marks(keyColumns.length)}`

const nothing: readonly string[] = []

export function readNames(text: Value | undefined): readonly string[] | undefined {
  try {
    const read: unknown = JSON.parse(text as string)
    return Array.isArray(read) && read.every((one) => typeof one === 'string') ? read : undefined
  } catch {
    return undefined
  }
}

type Accounts = KeyRecord['accounts']

const isPair = (one: unknown): one is [string, string | null] =>
  Array.isArray(one) &&
  one.length === 2 &&
  typeof one[0] === 'string' &&
  (one[1] === null || typeof one[1] === 'string')

/** pairs of connection and account; NULL in rows of older versions */
export function readAccounts(text: Value | undefined): Accounts | undefined {
  if (text === null || text === undefined) return new Map()
  try {
    const read: unknown = JSON.parse(text as string)
    return Array.isArray(read) && read.every(isPair) ? new Map(read) : undefined
  } catch {
    return undefined
  }
}

const writeAccounts = (accounts: Accounts): string => JSON.stringify([...accounts])

function keyOf(row: Row): KeyRecord {
  const connections = readNames(row['connections'])
  const groups = readNames(row['groups'])
  const accounts = readAccounts(row['accounts'])
  const whole = connections !== undefined && groups !== undefined && accounts !== undefined
  return {
    id: row['id'] as string,
    name: row['name'] as string,
    note: row['note'] as string | null,
    digest: row['digest'] as Uint8Array,
    connections: whole ? connections : nothing,
    accounts: whole ? accounts : new Map(),
    groups: whole ? groups : nothing,
    perMinute: row['per_minute'] as number | null,
    createdAt: row['created_at'] as number,
    expiresAt: row['expires_at'] as number | null,
    revokedAt: row['revoked_at'] as number | null,
    replaces: row['replaces'] as string | null,
    lastUsedAt: row['last_used_at'] as number | null,
  }
}

const add = (sql: Sql, r: KeyRecord): Promise<number> =>
  sql.run(insert, [
    r.id,
    r.name,
    r.digest,
    JSON.stringify(r.connections),
    JSON.stringify(r.groups),
    r.perMinute,
    r.createdAt,
    r.expiresAt,
    r.revokedAt,
    r.note,
    r.replaces,
    r.lastUsedAt,
    writeAccounts(r.accounts),
  ])

/** one row also for an id that is not there, and it is read as any other: how long it takes does not tell which it was */
const findOne = 'SELECT keys.* FROM (SELECT 1 AS one) AS one LEFT JOIN keys ON keys.id = ?'
const absent: Row = {
  connections: '["*"]',
  groups: JSON.stringify(Array.from({ length: 10 }, (_, i) => `group${i}`)),
  accounts: '[]',
}

const looksIn =
  (db: Database) =>
  async (id: string): Promise<KeyRecord | undefined> => {
    const row = await db.one(findOne, [id])
    const isThere = typeof row?.['id'] === 'string'
    const record = keyOf(isThere ? row : absent)
    return isThere ? record : undefined
  }

const usesAtOnce = 200

/** in one statement a stretch: a round trip for each of them would hold up every other writer */
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

/** no account has a comma or a bracket in it */
const isUndecided = "(accounts IS NULL OR accounts LIKE '%,null]%')"

/** what looks at many keys, and what is done for those of older versions */
const manyRows = (db: Database, forget: (id: string) => void): Pick<KeyRecords, 'list' | 'undecided' | 'decide'> => ({
  list: async () => (await db.all('SELECT * FROM keys ORDER BY created_at, id')).map(keyOf),
  async undecided({ after, limit }) {
    const text = `SELECT * FROM keys WHERE ${isUndecided} AND id > ? ORDER BY id LIMIT ?`
    return (await db.all(text, [after, limit])).map(keyOf)
  },
  decide: (changes) =>
    db
      .transaction(async (sql) => {
        const text = 'UPDATE keys SET accounts = ? WHERE id = ? AND (accounts IS NULL OR accounts = ?)'
        for (const { before, accounts } of changes)
          await sql.run(text, [writeAccounts(accounts), before.id, writeAccounts(before.accounts)])
      })
      .finally(() => changes.forEach(({ before }) => forget(before.id))),
})

/** what ends now is a state, in which no clock has a say; a key that ends sooner by itself is not kept alive */
const endOf = (at: number, endsAt: number | 'now'): [text: string, values: Value[]] =>
  endsAt === 'now'
    ? ['revoked_at = ?', [at]]
    : ['expires_at = CASE WHEN expires_at < ? THEN expires_at ELSE ? END', [endsAt, endsAt]]

export function createKeyRows(db: Database): KeyRecords {
  const look = looksIn(db)
  const recent = recentOver(db, look)

  return {
    async add(record, deed) {
      await audited(db, deed, async (sql) => (await add(sql, record)) === 1)
    },
    find: recent ? (id, fits) => recent.find(id, fits) : createKnown(look, () => db.changes()),
    latest: look,
    async page({ after, limit }) {
      return (await db.all('SELECT * FROM keys WHERE id > ? ORDER BY id LIMIT ?', [after, limit])).map(keyOf)
    },
    // forgotten in any case: a write whose end was not heard may have been done
    revoke: (id, at, deed) =>
      taken(db, deed, async (sql) => {
        const text = 'UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL'
        return (await sql.run(text, [at, id])) === 1
      }).finally(() => recent?.forget(id)),
    succeed: (id, { at, endsAt }, successor, deed) =>
      taken(db, deed, async (sql) => {
        const heir =
          'SELECT 1 FROM keys WHERE replaces = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)'
        if (await sql.one(heir, [id, at])) return false
        const [change, values] = endOf(at, endsAt)
        const live = 'id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)'
        const changed = await sql.run(`UPDATE keys SET ${change} WHERE ${live}`, [...values, id, at])
        if (changed === 1) await add(sql, successor)
        return changed === 1
      }).finally(() => recent?.forget(id)),
    used: (uses) => db.transaction((sql) => writeUses(sql, 'keys', uses)),
    ...manyRows(db, (id) => recent?.forget(id)),
  }
}
