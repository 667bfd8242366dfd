// Console sessions in Redis, where all replicas find them: sealed, under the hash of their secret, until they end by its
// clock. An ended session leaves a mark, so that no replica can store it again.
import type { Redis } from '../../../base/redis/redis.ts'
import { script } from '../../../base/redis/script.ts'
import type { SessionSeal } from './session-seal.ts'

/** times are milliseconds of the clock of Redis */
export interface StoredSession {
  readonly who: string
  readonly role: string | undefined
  readonly csrf: string
  readonly digest: Buffer
  readonly startedAt: number
  readonly endsAt: number
  readonly usedAt: number
}

export interface ReadSession extends StoredSession {
  readonly at: number
}

/** here and below, undefined: Redis did not answer */
export type SessionStore = ReturnType<typeof createSessionStore>

export interface SessionStoreOptions {
  readonly redis: Pick<Redis, 'ask' | 'run' | 'name'>
  readonly seal: SessionSeal
  readonly idleMs: number
  readonly longestMs: number
  readonly most: number
}

/** A value is the session's end, a dot and the sealed bytes; empty for an ended session. */
const clock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`

// Reads that are refused like writes: a server that cannot store an end must not answer from an old copy.
const refusedUnlessWritable = `redis.call('SETRANGE', KEYS[1], 0, '')`

const statesOf = script(`
${refusedUnlessWritable}
return redis.call('MGET', unpack(KEYS))`)

const findOne = script(`${clock}
${refusedUnlessWritable}
local kept = redis.call('GET', KEYS[1])
return {now, kept, redis.call('ZSCORE', KEYS[2], ARGV[1])}`)

const putOne = script(`${clock}
local name, value, ends, used = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local idle, longest, most, prefix = tonumber(ARGV[5]), ARGV[6], tonumber(ARGV[7]), ARGV[8]
local left = math.min(used + idle, ends) - now
if left <= 0 or not redis.call('SET', KEYS[1], value, 'NX', 'PX', left) then return 0 end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - idle)
while redis.call('ZCARD', KEYS[2]) >= most do
  redis.call('SET', prefix .. redis.call('ZPOPMIN', KEYS[2])[1], '', 'PX', longest)
end
redis.call('ZADD', KEYS[2], used, name)
redis.call('PEXPIRE', KEYS[2], idle)
return 1`)

const touchOne = script(`${clock}
local kept = redis.call('GET', KEYS[1])
if not kept or kept == '' then return 0 end
local idle = tonumber(ARGV[2])
redis.call('PEXPIRE', KEYS[1], math.min(idle, tonumber(string.match(kept, '^%d+')) - now))
redis.call('ZADD', KEYS[2], 'XX', now, ARGV[1])
redis.call('PEXPIRE', KEYS[2], idle)
return 1`)

const endOne = script(`
redis.call('SET', KEYS[1], '', 'PX', ARGV[2])
redis.call('ZREM', KEYS[2], ARGV[1])
return 1`)

function read(text: string): Omit<StoredSession, 'usedAt'> {
  const { digest, ...rest } = JSON.parse(text)
  return { ...rest, digest: Buffer.from(digest, 'base64url') }
}

function valueOf(seal: SessionSeal, name: string, { who, role, csrf, startedAt, endsAt, digest }: StoredSession) {
  const plain = JSON.stringify({ who, role, csrf, startedAt, endsAt, digest: digest.toString('base64url') })
  const sealed = seal.seal([name], Buffer.from(plain), digest)
  return sealed && `${endsAt}.${sealed.toString('base64url')}`
}

async function askTime(redis: Pick<Redis, 'ask'>): Promise<number | undefined> {
  const answer = await redis.ask('TIME')
  const at = Array.isArray(answer) ? Number(answer[0]) * 1_000 + Math.floor(Number(answer[1]) / 1_000) : Number.NaN
  return Number.isSafeInteger(at) ? at : undefined
}

export function createSessionStore({ redis, seal, idleMs, longestMs, most }: SessionStoreOptions) {
  const prefix = redis.name('session', '')
  const index = redis.name('sessions')
  const keys = (name: string) => [`${prefix}${name}`, index]

  return {
    now: () => askTime(redis),
    /** null: unknown, idle for too long, or lost by Redis */
    async find(name: string): Promise<ReadSession | 'ended' | null | undefined> {
      const answer = await redis.run(findOne, keys(name), [name])
      if (!Array.isArray(answer)) return undefined
      const [at, kept, usedAt] = answer as unknown[]
      if (kept === null) return null
      if (typeof kept !== 'string' || !Number.isSafeInteger(at)) return undefined
      const sealed = Buffer.from(kept.slice(kept.indexOf('.') + 1), 'base64url')
      const plain = seal.open([name], sealed)
      if (plain) return { ...read(plain.toString()), at: at as number, usedAt: Number(usedAt ?? at) }
      // its token is no longer valid: it stays ended even if that token returns
      if (kept !== '') await redis.run(endOne, keys(name), [name, longestMs])
      return 'ended'
    },
    async states(names: readonly string[]): Promise<readonly ('live' | 'ended' | null)[] | undefined> {
      const answer = await redis.run(
        statesOf,
        names.map((name) => `${prefix}${name}`),
        [],
      )
      if (!Array.isArray(answer)) return undefined
      return answer.map((one: string | null) => (one === null ? null : one === '' ? 'ended' : 'live'))
    },
    /** does nothing where the session is there, or has ended */
    async put(name: string, session: StoredSession): Promise<unknown> {
      const value = valueOf(seal, name, session)
      if (value === undefined) return undefined
      const times = [session.endsAt, session.usedAt, idleMs, longestMs]
      return redis.run(putOne, keys(name), [name, value, ...times, most, prefix])
    },
    touch: (name: string) => redis.run(touchOne, keys(name), [name, idleMs]),
    end: (name: string) => redis.run(endOne, keys(name), [name, longestMs]),
  }
}
