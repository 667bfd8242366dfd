// SSH sessions over SQL.
import type { Database, SqlRow } from '../../../base/store/sql.ts'

export interface SshSessionRecord {
  readonly id: string
  readonly container: string
  readonly account: string
  /** the API key that made it: its end ends the session */
  readonly keyId: string
  readonly publicKey: string
  readonly endsAt: number
}

const sessionOf = (row: SqlRow): SshSessionRecord => ({
  id: row['id'] as string,
  container: row['container'] as string,
  account: row['account'] as string,
  keyId: row['key_id'] as string,
  publicKey: row['public_key'] as string,
  endsAt: row['ends_at'] as number,
})

/** a session has ended with its API key, too */
const living = `FROM ssh_sessions JOIN api_keys ON api_keys.id = ssh_sessions.key_id
  WHERE container = ? AND ends_at > ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`

export function createSshSessionRows(db: Database) {
  return {
    /** answers how many the container has, and adds none if that is `most` */
    add: (session: SshSessionRecord, most: number, now: number): Promise<number | undefined> =>
      db.transaction(async (sql) => {
        const row = await sql.one(`SELECT count(*) AS count ${living}`, [session.container, now, now])
        const count = Number(row?.['count'])
        if (count >= most) return count
        const { id, container, account, keyId, publicKey, endsAt } = session
        await sql.run(
          'INSERT INTO ssh_sessions (id, container, account, key_id, public_key, ends_at) VALUES (?, ?, ?, ?, ?, ?)',
          [id, container, account, keyId, publicKey, endsAt],
        )
        return undefined
      }),
    async find(id: string): Promise<SshSessionRecord | undefined> {
      const row = await db.one('SELECT * FROM ssh_sessions WHERE id = ?', [id])
      return row && sessionOf(row)
    },
    /** when the first of the container's sessions ends */
    async firstEnd(container: string, now: number): Promise<number | undefined> {
      const row = await db.one(`SELECT min(ends_at) AS at ${living}`, [container, now, now])
      return (row?.['at'] as number | null) ?? undefined
    },
    removeOf: (container: string) => db.run('DELETE FROM ssh_sessions WHERE container = ?', [container]),
    forget: (now: number) => db.run('DELETE FROM ssh_sessions WHERE ends_at <= ?', [now]),
  }
}

export type SshSessionRows = ReturnType<typeof createSshSessionRows>
