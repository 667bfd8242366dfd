// Browser sessions: an opaque cookie, of which only a hash is stored, and a CSRF token that is derived from it.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { digestOf } from '../../../base/core/digest-and-random.ts'
import type { SessionRecord, SessionRows } from '../store/session-rows.ts'

const idleMs = 60 * 60_000
const longestMs = 12 * idleMs
/** a write for each request would be too much */
const touchedEveryMs = 30_000

export interface Session {
  /** of this session alone, and no secret */
  readonly id: string
  readonly account: string
  readonly csrf: string
  readonly endsAt: number
  readonly digest: Uint8Array
}

export interface SessionsOptions {
  readonly rows: SessionRows
  readonly secret: Uint8Array
  readonly now: () => number
}

const prefix = 'ses_'
export const isSessionId = (id: string): boolean => id.startsWith(prefix)

export function createSessions({ rows, secret, now }: SessionsOptions) {
  const sessionOf = (cookie: string, { account, digest, endsAt }: SessionRecord): Session => ({
    id: `${prefix}${Buffer.from(digest).toString('hex')}`,
    account,
    digest,
    endsAt,
    csrf: createHmac('sha256', secret).update('csrf').update(cookie).digest('base64url'),
  })
  /** the record, if the session has not ended; it has been used now */
  async function use(digest: Uint8Array): Promise<SessionRecord | undefined> {
    const record = await rows.find(digest)
    const at = now()
    // a clock that was ahead, and was set back, must not prolong a session; small corrections are tolerated
    if (!record || at >= record.endsAt || Math.abs(at - record.usedAt) >= idleMs) return undefined
    if (at - record.usedAt > touchedEveryMs) await rows.touch(digest, at)
    return record
  }
  return {
    async begin(account: string): Promise<{ readonly cookie: string; readonly session: Session }> {
      const cookie = randomBytes(32).toString('base64url')
      const at = now()
      const record = { digest: digestOf(cookie), account, createdAt: at, usedAt: at, endsAt: at + longestMs }
      await rows.add(record)
      return { cookie, session: sessionOf(cookie, record) }
    },
    async find(cookie: string | undefined): Promise<Session | undefined> {
      if (cookie === undefined || !/^[\w-]{43}$/.test(cookie)) return undefined
      const record = await use(digestOf(cookie))
      return record && sessionOf(cookie, record)
    },
    /** those that have not ended; what is at work for a session keeps it from being idle */
    async livingOf(ids: readonly string[]): Promise<ReadonlySet<string>> {
      const isLiving = await Promise.all(ids.map((id) => use(Buffer.from(id.slice(prefix.length), 'hex'))))
      return new Set(ids.filter((_, i) => isLiving[i]))
    },
    end: (cookie: string) => rows.remove(digestOf(cookie)),
    forget: () => rows.forget(now(), now() - idleMs),
  }
}

export type Sessions = ReturnType<typeof createSessions>

export const isCsrf = ({ csrf }: Session, given: string | undefined): boolean =>
  given !== undefined && timingSafeEqual(digestOf(csrf), digestOf(given))
