// API keys over SQL.
import type { Database, SqlRow } from '../../../base/store/sql.ts'
import { type Place, selectPage } from './listing.ts'

export interface KeyRecord {
  readonly id: string
  readonly account: string
  readonly name: string
  readonly prefix: string
  readonly digest: Uint8Array
  readonly scopes: readonly string[]
  readonly createdAt: number
  readonly createdBy: string
  readonly lastUsedAt: number | null
  readonly expiresAt: number | null
  readonly revokedAt: number | null
}

const keyOf = (row: SqlRow): KeyRecord => ({
  id: row['id'] as string,
  account: row['account'] as string,
  name: row['name'] as string,
  prefix: row['prefix'] as string,
  digest: row['digest'] as Uint8Array,
  scopes: JSON.parse(row['scopes'] as string) as string[],
  createdAt: row['created_at'] as number,
  createdBy: row['created_by'] as string,
  lastUsedAt: row['last_used_at'] as number | null,
  expiresAt: row['expires_at'] as number | null,
  revokedAt: row['revoked_at'] as number | null,
})

/** of an account: the oldest go */
const mostRevoked = 200

const living = 'account = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)'

export function createKeyRows(db: Database) {
  async function find(condition: string, ...values: string[]): Promise<KeyRecord | undefined> {
    const row = await db.one(`SELECT * FROM api_keys WHERE ${condition}`, values)
    return row && keyOf(row)
  }
  return {
    /** answers how many living keys the account has, and adds none if that is `most` */
    add: (key: KeyRecord, most: number): Promise<number | undefined> =>
      db.transaction(async (sql) => {
        const row = await sql.one(`SELECT count(*) AS count FROM api_keys WHERE ${living}`, [
          key.account,
          key.createdAt,
        ])
        const count = Number(row?.['count'])
        if (count >= most) return count
        await sql.run(
          `INSERT INTO api_keys (id, account, name, prefix, digest, scopes, created_at, created_by, expires_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          [
            key.id,
            key.account,
            key.name,
            key.prefix,
            key.digest,
            JSON.stringify(key.scopes),
            key.createdAt,
            key.createdBy,
            key.expiresAt,
          ],
        )
        await sql.run(
          `DELETE FROM api_keys WHERE id IN (SELECT id FROM api_keys WHERE account = ? AND revoked_at IS NOT NULL
             ORDER BY revoked_at DESC, id DESC LIMIT 1000 OFFSET ${mostRevoked})`,
          [key.account],
        )
        return undefined
      }),
    /** a revoked key is an absent one, so that neither takes longer to refuse */
    findUnrevoked: (prefix: string) => find('prefix = ? AND revoked_at IS NULL', prefix),
    findByPrefix: (prefix: string) => find('prefix = ?', prefix),
    /** of any account: for the operator */
    findById: (id: string) => find('id = ?', id),
    find: (account: string, id: string) => find('id = ? AND account = ?', id, account),
    /** ids of living keys among these */
    async livingOf(ids: readonly string[], now: number): Promise<Set<string>> {
      if (ids.length === 0) return new Set()
      const rows = await db.all(
        `SELECT id FROM api_keys WHERE id IN (${ids.map(() => '?').join(', ')})
         AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`,
        [...ids, now],
      )
      return new Set(rows.map((row) => row['id'] as string))
    },
    page: async (account: string, revokedSince: number, after: Place | undefined, limit: number) => {
      const selection = {
        table: 'api_keys',
        conditions: ['account = ?', '(revoked_at IS NULL OR revoked_at > ?)'],
        values: [account, revokedSince],
      } as const
      return (await selectPage(db, selection, after, limit)).map(keyOf)
    },
    revoke: (id: string, at: number): Promise<number> =>
      db.run('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', [at, id]),
    used: (id: string, at: number): Promise<number> =>
      db.run('UPDATE api_keys SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)', [
        at,
        id,
        at,
      ]),
    forget: (revokedBefore: number): Promise<number> =>
      db.run('DELETE FROM api_keys WHERE revoked_at < ?', [revokedBefore]),
  }
}

export type KeyRows = ReturnType<typeof createKeyRows>
