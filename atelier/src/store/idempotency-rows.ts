// First answers by Idempotency-Key. A row without a status is a request that is still at work, or that the end of the service
// cut; its target is the id of what it makes, written before anything is made.
import type { Database } from '../../../base/store/sql.ts'

export interface FirstAnswer {
  readonly status: number
  readonly location: string | null
  readonly body: string
}

export interface IdempotencyKey {
  readonly account: string
  readonly route: string
  readonly key: string
}

export interface Attempt {
  readonly digest: Uint8Array
  /** the id of what it makes */
  readonly target: string
  readonly at: number
}

export type TakeResult = 'new' | 'conflict' | { readonly unfinished: string } | FirstAnswer

const place = 'account = ? AND route = ? AND idempotency_key = ?'
const unfinishedAttempt = `${place} AND target = ? AND status IS NULL`

export function createIdempotencyRows(db: Database) {
  return {
    take: (
      { account, route, key }: IdempotencyKey,
      { digest, target, at }: Attempt,
      oldest: number,
    ): Promise<TakeResult> =>
      db.transaction(async (sql) => {
        await sql.run(`DELETE FROM idempotency WHERE ${place} AND created_at < ?`, [account, route, key, oldest])
        const row = await sql.one(`SELECT * FROM idempotency WHERE ${place}`, [account, route, key])
        if (!row) {
          await sql.run(
            'INSERT INTO idempotency (account, route, idempotency_key, digest, target, created_at) VALUES (?, ?, ?, ?, ?, ?)',
            [account, route, key, digest, target, at],
          )
          return 'new'
        }
        if (!Buffer.from(row['digest'] as Uint8Array).equals(digest)) return 'conflict'
        if (row['status'] === null) return { unfinished: row['target'] as string }
        return {
          status: row['status'] as number,
          location: row['location'] as string | null,
          body: row['body'] as string,
        }
      }),
    /** takes over from an attempt that made nothing; 0: another request was first */
    retake: ({ account, route, key }: IdempotencyKey, unfinished: string, { target, at }: Omit<Attempt, 'digest'>) =>
      db.run(`UPDATE idempotency SET target = ?, created_at = ? WHERE ${unfinishedAttempt}`, [
        target,
        at,
        account,
        route,
        key,
        unfinished,
      ]),
    /** the first answer stays */
    keep: ({ account, route, key }: IdempotencyKey, target: string, { status, location, body }: FirstAnswer) =>
      db.run(`UPDATE idempotency SET status = ?, location = ?, body = ? WHERE ${unfinishedAttempt}`, [
        status,
        location,
        body,
        account,
        route,
        key,
        target,
      ]),
    drop: ({ account, route, key }: IdempotencyKey, target: string) =>
      db.run(`DELETE FROM idempotency WHERE ${unfinishedAttempt}`, [account, route, key, target]),
    forget: (before: number) => db.run('DELETE FROM idempotency WHERE created_at < ?', [before]),
  }
}

export type IdempotencyRows = ReturnType<typeof createIdempotencyRows>
