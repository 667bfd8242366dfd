// Browser sessions over SQL: only a hash of the cookie is stored.
import type { Database } from '../../../base/store/sql.ts'

export interface SessionRecord {
  readonly digest: Uint8Array
  readonly account: string
  readonly createdAt: number
  readonly usedAt: number
  readonly endsAt: number
}

export function createSessionRows(db: Database) {
  return {
    add: ({ digest, account, createdAt, usedAt, endsAt }: SessionRecord) =>
      db.run('INSERT INTO sessions (digest, account, created_at, used_at, ends_at) VALUES (?, ?, ?, ?, ?)', [
        digest,
        account,
        createdAt,
        usedAt,
        endsAt,
      ]),
    async find(digest: Uint8Array): Promise<SessionRecord | undefined> {
      const row = await db.one('SELECT * FROM sessions WHERE digest = ?', [digest])
      return (
        row && {
          digest,
          account: row['account'] as string,
          createdAt: row['created_at'] as number,
          usedAt: row['used_at'] as number,
          endsAt: row['ends_at'] as number,
        }
      )
    },
    touch: (digest: Uint8Array, at: number) => db.run('UPDATE sessions SET used_at = ? WHERE digest = ?', [at, digest]),
    remove: (digest: Uint8Array) => db.run('DELETE FROM sessions WHERE digest = ?', [digest]),
    forget: (now: number, idleSince: number) =>
      db.run('DELETE FROM sessions WHERE ends_at < ? OR used_at < ?', [now, idleSince]),
  }
}

export type SessionRows = ReturnType<typeof createSessionRows>
