// Runs recorded commands on a real Redis, and compares each answer. Its clock is that of the recording: a prelude in Lua stands
// between the command and the server, which moves every end of a value to a far year and removes what has ended by then.
import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Redis } from 'ioredis'
import type { Recorded } from './server.ts'
import { type RedisAnswer, RedisError, Status } from './values.ts'

/** the moment 0 of the recording on the real server */
const farMs = 4_000_000_000_000

const prelude = `
local listeners, refusal, runId, now = table.remove(ARGV), table.remove(ARGV), table.remove(ARGV), tonumber(table.remove(ARGV))
local real, far = redis, ${farMs}
local function at(ms) return string.format('%.0f', ms) end
local function forget(name)
  local ends = real.call('PEXPIRETIME', name)
  if ends >= 0 and ends - far < now then real.call('DEL', name) end
end
local function endAt(name, ms)
  if ms > now then return real.call('PEXPIREAT', name, at(far + ms)) end
  return real.call('DEL', name)
end
local several = { MGET = true, EXISTS = true, DEL = true }
local free = { TIME = true, PING = true, INFO = true, PUBLISH = true }
local reads = { GET = true, MGET = true, EXISTS = true, PTTL = true, HGET = true, HMGET = true, HEXISTS = true,
  ZCARD = true, ZSCORE = true, ZRANGE = true, ZRANGEBYSCORE = true }
local redis = {}
function redis.call(given, ...)
  local name, words = string.upper(given), { ... }
  if refusal == 'OOM' and (name == 'SET' or name == 'SETRANGE' or name == 'INCRBY' or name == 'HSET' or name == 'ZADD') then
    error({ err = 'OOM command not allowed' })
  end
  if refusal ~= '' and refusal ~= 'OOM' and not free[name] and not reads[name] then error({ err = refusal .. ' refused' }) end
  if name == 'TIME' then return { at(math.floor(now / 1000)), at((now % 1000) * 1000) } end
  if name == 'INFO' then return 'run_id:' .. runId end
  if name == 'PUBLISH' then return tonumber(listeners) end
  if not free[name] then
    for i = 1, several[name] and #words or 1 do if words[i] then forget(words[i]) end end
  end
  if name == 'PTTL' then
    local ends = real.call('PEXPIRETIME', words[1])
    return ends < 0 and ends or ends - far - now
  end
  if name == 'PEXPIRE' then return endAt(words[1], now + words[2]) end
  if name == 'PEXPIREAT' then return endAt(words[1], tonumber(words[2])) end
  if name == 'SET' then
    for i = 3, #words do
      if words[i] == 'PX' and tonumber(words[i + 1]) > 0 then words[i], words[i + 1] = 'PXAT', at(far + now + words[i + 1]) end
    end
  end
  return real.call(given, unpack(words))
end
`
const plain = `${prelude}return redis.call(unpack(ARGV))`

export interface Difference {
  /** its place in the recording */
  readonly index: number
  readonly words: readonly string[]
  readonly expected: unknown
  readonly actual: unknown
}

/** errors are their first word; a status is its text */
function plainOf(answer: RedisAnswer): unknown {
  if (answer instanceof RedisError) return { error: answer.message.split(' ', 1)[0] }
  if (answer instanceof Status) return answer.text
  return Array.isArray(answer) ? answer.map(plainOf) : answer
}

function textOf(answer: unknown): unknown {
  if (answer instanceof Error) return { error: answer.message.split(' ', 1)[0] }
  if (Buffer.isBuffer(answer)) return answer.toString('latin1')
  return Array.isArray(answer) ? answer.map(textOf) : answer
}

/** A script that goes through a table by `pairs` lists its rows in an order of its own. */
const rowsOf = (answer: unknown): unknown =>
  Array.isArray(answer) && answer.length > 3 && answer.length % 3 === 0
    ? Array.from({ length: answer.length / 3 }, (_, i) => JSON.stringify(answer.slice(3 * i, 3 * i + 3))).toSorted()
    : answer

const isSame = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a, b) || isDeepStrictEqual(rowsOf(a), rowsOf(b))

type Command = Extract<Recorded, { readonly kind: 'command' }>

class Replay {
  readonly #redis: Redis
  readonly #scripts = new Map<string, string>()
  #batch: { readonly index: number; readonly command: Command }[] = []
  readonly differences: Difference[] = []

  constructor(redis: Redis) {
    this.#redis = redis
  }

  /** the script that does the same under the clock of the recording; undefined for one that the server did not know */
  #scriptOf([name = '', ...rest]: readonly string[]): readonly [text: string, values: readonly string[]] | undefined {
    if (name === 'EVAL') this.#scripts.set(hash('sha1', rest[0] ?? ''), rest[0] ?? '')
    if (name !== 'EVAL' && name !== 'EVALSHA') return [plain, ['0', name, ...rest]]
    const text = name === 'EVAL' ? rest[0] : this.#scripts.get(rest[0] ?? '')
    return text === undefined ? undefined : [`${prelude}${text}`, rest.slice(1)]
  }

  async add(index: number, command: Command) {
    const isUnknownScript = command.answer instanceof RedisError && command.answer.message.startsWith('NOSCRIPT')
    if (isUnknownScript) return
    this.#batch.push({ index, command })
    if (this.#batch.length >= 500) await this.flush()
  }

  async flush() {
    const pipeline = this.#redis.pipeline()
    const asked: { readonly index: number; readonly command: Command }[] = []
    for (const one of this.#batch.splice(0)) {
      const script = this.#scriptOf(one.command.words)
      if (!script) continue
      const { at, runId, refusal, listeners } = one.command
      const values = [...script[1], String(at), runId, refusal ?? '', String(listeners)]
      pipeline.callBuffer('EVAL', script[0], ...values.map((value) => Buffer.from(value, 'latin1')))
      asked.push(one)
    }
    const answers = (await pipeline.exec()) ?? []
    for (const [i, { index, command }] of asked.entries()) {
      const [error, answer] = answers[i] ?? []
      const [expected, actual] = [plainOf(command.answer), textOf(error ?? answer)]
      if (!isSame(expected, actual)) this.differences.push({ index, words: command.words, expected, actual })
    }
  }

  async restore(copy: Extract<Recorded, { readonly kind: 'restored' }>['copy']) {
    await this.flush()
    await this.#redis.flushall()
    for (const [name, { value, endsAt }] of copy) {
      if (typeof value === 'string') await this.#redis.set(name, Buffer.from(value, 'latin1'))
      else
        for (const [member, one] of value)
          if (typeof one === 'number') await this.#redis.zadd(name, one, member)
          else await this.#redis.hset(name, member, one)
      if (endsAt < Infinity) await this.#redis.pexpireat(name, farMs + endsAt)
    }
  }
}

/** `redis`: a server for this alone, which is emptied first */
export async function replayOn(redis: Redis, recorded: readonly Recorded[]): Promise<readonly Difference[]> {
  const replay = new Replay(redis)
  await redis.flushall()
  for (const [index, one] of recorded.entries())
    if (one.kind === 'command') await replay.add(index, one)
    else await replay.restore(one.copy)
  await replay.flush()
  return replay.differences
}
