// Sessions of the console in Redis, where all replicas find them: sealed, by the hash of their secret, until they end by its
// clock. One that was ended leaves a mark in its place, so that nobody who missed that can put it back.
import type { Redis } from './redis.ts'
import { script } from './script.ts'
import type { SessionSeal } from './session-seal.ts'

/** times are milliseconds of Redis's clock */
export interface Shelved {
  readonly who: string
  readonly csrf: string
  readonly digest: Buffer
  readonly startedAt: number
  readonly endsAt: number
  readonly stirredAt: number
}

export interface Heard extends Shelved {
  /** what the clock of Redis shows */
  readonly at: number
}

/** `undefined`, here and below: Redis was not heard */
export interface SessionShelf {
  now(): Promise<number | undefined>
  /** null: it never was there, was idle for too long, or Redis has lost it */
  find(name: string): Promise<Heard | 'ended' | null | undefined>
  /** how each of these stands */
  states(names: readonly string[]): Promise<readonly ('live' | 'ended' | null)[] | undefined>
  /** does nothing where it is there, or was ended */
  put(name: string, session: Shelved): Promise<unknown>
  stir(name: string): Promise<unknown>
  end(name: string): Promise<unknown>
}

export interface ShelfOptions {
  readonly redis: Pick<Redis, 'ask' | 'run' | 'name'>
  readonly envelopes: SessionSeal
  readonly idleMs: number
  readonly longestMs: number
  readonly most: number
}

/** a value is its end by the clock, and behind it what is sealed; of one that was ended, nothing */
const clock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`

// They write nothing, but are refused as a write is: where no end could be written, nobody is found by an old copy.
const refusedUnlessWritable = `redis.call('SETRANGE', KEYS[1], 0, '')`

const statesOf = script(`
${refusedUnlessWritable}
return redis.call('MGET', unpack(KEYS))`)

const findOne = script(`${clock}
${refusedUnlessWritable}
local kept = redis.call('GET', KEYS[1])
return {now, kept, redis.call('ZSCORE', KEYS[2], ARGV[1])}`)

const putOne = script(`${clock}
local name, value, ends, stirred = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local idle, longest, most, prefix = tonumber(ARGV[5]), ARGV[6], tonumber(ARGV[7]), ARGV[8]
local left = math.min(stirred + idle, ends) - now
if left <= 0 or not redis.call('SET', KEYS[1], value, 'NX', 'PX', left) then return 0 end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - idle)
while redis.call('ZCARD', KEYS[2]) >= most do
  redis.call('SET', prefix .. redis.call('ZPOPMIN', KEYS[2])[1], '', 'PX', longest)
end
redis.call('ZADD', KEYS[2], stirred, name)
redis.call('PEXPIRE', KEYS[2], idle)
return 1`)

const stirOne = script(`${clock}
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

function read(text: string): Omit<Shelved, 'stirredAt'> {
  const { digest, ...rest } = JSON.parse(text)
  return { ...rest, digest: Buffer.from(digest, 'base64url') }
}

function valueOf(envelopes: SessionSeal, name: string, { who, csrf, startedAt, endsAt, digest }: Shelved) {
  const plain = JSON.stringify({ who, csrf, startedAt, endsAt, digest: digest.toString('base64url') })
  const sealed = envelopes.close([name], Buffer.from(plain), digest)
  return sealed && `${endsAt}.${sealed.toString('base64url')}`
}

async function askTime(redis: Pick<Redis, 'ask'>): Promise<number | undefined> {
  const told = await redis.ask('TIME')
  const at = Array.isArray(told) ? Number(told[0]) * 1_000 + Math.floor(Number(told[1]) / 1_000) : Number.NaN
  return Number.isSafeInteger(at) ? at : undefined
}

export function createSessionShelf({ redis, envelopes, idleMs, longestMs, most }: ShelfOptions): SessionShelf {
  const prefix = redis.name('session', '')
  const index = redis.name('sessions')
  const keys = (name: string) => [`${prefix}${name}`, index]

  return {
    now: () => askTime(redis),
    async find(name) {
      const told = await redis.run(findOne, keys(name), [name])
      if (!Array.isArray(told)) return undefined
      const [at, kept, stirredAt] = told as unknown[]
      if (kept === null) return null
      if (typeof kept !== 'string' || !Number.isSafeInteger(at)) return undefined
      const sealed = Buffer.from(kept.slice(kept.indexOf('.') + 1), 'base64url')
      const plain = envelopes.open([name], sealed)
      if (plain) return { ...read(plain.toString()), at: at as number, stirredAt: Number(stirredAt ?? at) }
      // its token is valid no more: it stays ended though that one comes back
      if (kept !== '') await redis.run(endOne, keys(name), [name, longestMs])
      return 'ended'
    },
    async states(names) {
      const told = await redis.run(
        statesOf,
        names.map((name) => `${prefix}${name}`),
        [],
      )
      if (!Array.isArray(told)) return undefined
      return told.map((one: string | null) => (one === null ? null : one === '' ? 'ended' : 'live'))
    },
    async put(name, session) {
      const value = valueOf(envelopes, name, session)
      if (value === undefined) return undefined
      const times = [session.endsAt, session.stirredAt, idleMs, longestMs]
      return redis.run(putOne, keys(name), [name, value, ...times, most, prefix])
    },
    stir: (name) => redis.run(stirOne, keys(name), [name, idleMs]),
    end: (name) => redis.run(endOne, keys(name), [name, longestMs]),
  }
}
