// Cached answers that all replicas share in Redis: sealed, under hashed names, with a bound on their bytes.
import type { SharedAnswerStore, Moment } from '../../../base/web/shared-answer-store.ts'
import { createSealedMessages } from '../../../base/redis/sealed-messages.ts'
import type { Redis } from '../../../base/redis/redis.ts'
import { script } from '../../../base/redis/script.ts'

/** of the whole installation, entryBytes per answer included; the entry that expires first goes first */
const standardBytes = 128 * 1024 * 1024
const entryBytes = 512
/** longer than any answer is cached */
const keptMs = 2 * 3_600_000

// KEYS: the answer, the counter. Stamps only grow, even where the clock is set back.
const look = script(`
  local time = redis.call('TIME')
  local now = time[1] * 1000000 + time[2]
  local stamp = math.max(now, (tonumber(redis.call('GET', KEYS[2])) or 0) + 1)
  redis.call('SET', KEYS[2], string.format('%.0f', stamp), 'PX', ARGV[1])
  local held = redis.call('HMGET', KEYS[1], 'stamp', 'at')
  local isThere = redis.call('HEXISTS', KEYS[1], 'bytes') == 1
  return {string.format('%.0f', math.floor(now / 1000)), string.format('%.0f', stamp),
    isThere and held[2] or '', isThere and held[1] or ''}`)

// KEYS: the answer, the expiry times, the sizes. ARGV: stamp, at, bytes, end, weight, most, kept.
const put = script(`
  local held = tonumber(redis.call('HGET', KEYS[1], 'stamp'))
  if held and held > tonumber(ARGV[1]) then return 0 end
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'stamp', ARGV[1], 'at', ARGV[2])
  if ARGV[3] ~= '' then redis.call('HSET', KEYS[1], 'bytes', ARGV[3]) end
  redis.call('PEXPIREAT', KEYS[1], ARGV[4])

  local sum = tonumber(redis.call('HGET', KEYS[3], '')) or 0
  local function forget(name)
    sum = sum - (tonumber(redis.call('HGET', KEYS[3], name)) or 0)
    redis.call('HDEL', KEYS[3], name)
    redis.call('ZREM', KEYS[2], name)
  end
  forget(KEYS[1])
  redis.call('ZADD', KEYS[2], ARGV[4], KEYS[1])
  redis.call('HSET', KEYS[3], KEYS[1], ARGV[5])
  sum = sum + tonumber(ARGV[5])
  local time = redis.call('TIME')
  for _, name in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', time[1] * 1000, 'LIMIT', 0, 1000)) do forget(name) end
  while sum > tonumber(ARGV[6]) do
    local eldest = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
    if not eldest then break end
    redis.call('DEL', eldest)
    forget(eldest)
  end
  redis.call('HSET', KEYS[3], '', string.format('%.0f', math.max(sum, 0)))
  redis.call('PEXPIRE', KEYS[2], ARGV[7])
  redis.call('PEXPIRE', KEYS[3], ARGV[7])
  return 1`)

export interface SharedAnswersOptions {
  readonly redis: Redis
  readonly secret: Uint8Array
  /** what an answer depends on besides its question */
  readonly scope: string
  readonly mostBytes?: number
}

function momentOf(atMs: unknown, stamp: unknown): Moment | undefined {
  const moment = { atMs: Number(atMs || Number.NaN), stamp: Number(stamp || Number.NaN) }
  return Number.isSafeInteger(moment.atMs) && Number.isSafeInteger(moment.stamp) ? moment : undefined
}

export function createSharedAnswers(options: SharedAnswersOptions): SharedAnswerStore {
  const { redis, secret, scope, mostBytes = standardBytes } = options
  const messages = createSealedMessages(secret, 'vitrine answers 1')
  const keyOf = (name: string) => redis.name('answer', messages.nameOf(scope, name))
  const place = (key: string, { atMs, stamp }: Moment) => [key, String(atMs), String(stamp)]

  return {
    async look(name) {
      const answer = await redis.run(look, [keyOf(name), redis.name('answers', 'count')], [keptMs])
      if (!Array.isArray(answer)) return undefined
      const now = momentOf(answer[0], answer[1])
      return now && { now, found: momentOf(answer[2], answer[3]) }
    },
    async bytesOf(name, found) {
      const key = keyOf(name)
      const sealed = await redis.askBytes('HGET', key, 'bytes')
      return Buffer.isBuffer(sealed) ? messages.open(place(key, found), sealed) : undefined
    },
    async put(name, asked, { bytes, maxAgeSec }) {
      const key = keyOf(name)
      const sealed = bytes ? messages.seal(place(key, asked), bytes) : ''
      const all = [redis.name('answers', 'ends'), redis.name('answers', 'sizes')]
      const values = [asked.stamp, asked.atMs, sealed, asked.atMs + maxAgeSec * 1000, sealed.length + entryBytes]
      const answer = await redis.run(put, [key, ...all], [...values, mostBytes, keptMs])
      return answer === undefined ? undefined : answer === 1
    },
  }
}
