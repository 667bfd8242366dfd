// The Redis of the simulation answers as a real one does: the commands and scripts in use, drawn at random, and what clients
// asked in whole runs.
import assert from 'node:assert/strict'
import test from 'node:test'
import { Redis } from 'ioredis'
import { everyCommand } from '../../../base/redis/redis-write-check.ts'
import { noRedis, ownRedis } from '../../../base/test/redis.ts'
import { Random } from '../../../base/test/simulator/random.ts'
import { replayOn } from '../../../base/test/simulator/redis/replay.ts'
import type { Recorded } from '../../../base/test/simulator/redis/server.ts'
import { RedisStore } from '../../../base/test/simulator/redis/store.ts'
import { keyUsageScript } from '../../src/replicas/key-usage.ts'
import { sharedQuotaScript } from '../../src/replicas/shared-quota-script.ts'
import { subject } from './quota/subject.ts'

const skip = noRedis
const runs = Number(process.env['RUNS'] ?? 4)
const runId = 'a'.repeat(40)

async function openReal(t: { after(end: () => Promise<void>): void }): Promise<Redis> {
  const server = await ownRedis()
  const redis = new Redis(server.url)
  t.after(async () => {
    redis.disconnect()
    await server.kill()
  })
  return redis
}

const names = ['a', 'b', 'c', 'd']

/** one command of those in use, often on a value of another kind */
function draw(random: Random): string[] {
  const [name, other] = [random.pick(names), random.pick(names)]
  const [field, text] = [random.pick(['f', 'g', 'h']), random.pick(['', 'x', '7', '-3', '1.5', 'é', '0'])]
  const score = random.pick(['1', '2', '2', '-4', '10', '0.5', '-inf', 'nothing'])
  const ms = String(Math.round(random.between(-50, 3_000)))
  return random.pick<string[]>([
    ['PING'],
    ['TIME'],
    ['GET', name],
    ['MGET', name, other],
    ['EXISTS', name, other, name],
    ['PTTL', name],
    ['SET', name, text],
    ['SET', name, text, 'PX', ms],
    ['SET', name, text, 'NX', 'PX', '500'],
    ['SET', name, text, 'XX'],
    ['SET', name, text, 'KEEPTTL'],
    ['SETRANGE', name, '3', text],
    ['SETRANGE', name, '0', ''],
    ['INCRBY', name, text],
    ['DEL', name],
    ['PEXPIRE', name, ms],
    ['PEXPIREAT', name, String(1_700_000_000_000 + random.below(200_000))],
    ['HSET', name, field, text],
    ['HGET', name, field],
    ['HMGET', name, 'f', field],
    ['HEXISTS', name, field],
    ['HDEL', name, field, 'g'],
    ['ZADD', name, score, field],
    ['ZADD', name, 'XX', score, field],
    ['ZCARD', name],
    ['ZSCORE', name, field],
    ['ZRANGE', name, '0', random.pick(['-1', '1', '0'])],
    ['ZRANGEBYSCORE', name, random.pick(['-inf', '1', '(1', '2']), random.pick(['+inf', '2', '(2', '0'])],
    ['ZREM', name, field],
    ['ZREMRANGEBYSCORE', name, '-inf', score],
    ['ZPOPMIN', name],
    ['GET'],
    ['EVAL', everyCommand.text, '1', name],
    ['EVAL', keyUsageScript.text, '1', `${name} uses`, '3600000', '1000', field, String(random.below(9))],
    [
      'EVAL',
      sharedQuotaScript.text,
      '1',
      `${name} quota`,
      random.pick(['reserve', 'look', 'ended', 'release']),
      field,
    ].concat([random.pick(['0', '0', '1']), '6', '25000', '3600000', '0']),
  ])
}

/** a stream of commands over some virtual minutes, with the answers of the Redis inside */
function play(seed: number, count: number): Recorded[] {
  const random = new Random(seed)
  let at = 1_700_000_000_000
  const store = new RedisStore({ now: () => at, runId, publish: () => 0 })
  return Array.from({ length: count }, () => {
    at += random.chance(0.3) ? random.below(800) : 0
    if (random.chance(0.01)) store.refusal = random.pick(['OOM', 'READONLY', undefined, undefined])
    const words = draw(random).map((word) => Buffer.from(word).toString('latin1'))
    const answer = store.do(words)
    return { kind: 'command', at, words, answer, refusal: store.refusal, listeners: 0, runId }
  })
}

test('random commands have the answers of a real Redis', { skip, timeout: 120_000 }, async (t) => {
  const redis = await openReal(t)
  for (let seed = 1; seed <= runs; seed++)
    assert.deepEqual(await replayOn(redis, play(seed, 1_500)), [], `seed ${seed}`)
})

test('a wrong answer is seen', { skip }, async (t) => {
  const redis = await openReal(t)
  const recorded = play(1, 200)
  const index = recorded.findIndex((one) => one.kind === 'command' && one.words[0] === 'PTTL' && one.answer === -2)
  const wrong = recorded.with(index, { ...(recorded[index] as Recorded & { kind: 'command' }), answer: -1 })
  assert.deepEqual(
    (await replayOn(redis, wrong)).map((one) => one.index),
    [index],
  )
})

test('what replicas ask in whole runs has the answers of a real Redis', { skip, timeout: 180_000 }, async (t) => {
  const redis = await openReal(t)
  let commands = 0
  for (let seed = 1; seed <= runs; seed++) {
    const { recorded } = await subject.runPlan(subject.makePlan(seed, 0.5), { records: true })
    assert.deepEqual(await replayOn(redis, recorded), [], `seed ${seed}`)
    commands += recorded.length
  }
  assert.ok(commands > 1_000 * runs, `${commands} commands`)
})

/** each an expression or a body of Lua 5.1, whose answer is compared as text */
const pieces = [
  'return tostring(7 / 2) .. " " .. tostring(10 / 2) .. " " .. 2 ^ 53 .. " " .. 1e15 .. " " .. 1e14 .. " " .. -0.5',
  'return tostring(1 / 3) .. " " .. 1e-7 .. " " .. 123456789.125 .. " " .. 100000000000000 .. " " .. 1e100',
  'return {7 % 3, -7 % 3, 7 % -3, 2 ^ 0.5, 3.99, -3.99, "10" + 5, "3" * "4"}',
  'return {1, 2, nil, 4}',
  'return {tonumber("0x10"), tonumber(" 12 "), tonumber("1e2"), tonumber("abc") or "none", tonumber("") or "none"}',
  'local a, b = (function() return 1, 2 end)() return {a, b, (function() return 3, 4 end)()}',
  'local t = {} for i = 10, 1, -3 do table.insert(t, i) end table.insert(t, 1, 99) return {#t, t[1], t[2], table.remove(t), #t}',
  'local t = {3, 1, 2} table.sort(t, function(x, y) return x > y end) return table.concat(t, ",")',
  'local s = 0 for i = 1, 10 do if i == 7 then break end if i % 2 == 0 then s = s + i end end return s',
  'local n = 0 while n < 5 do n = n + 1 end return n .. ""',
  'return {string.match("1234.abc", "^%d+"), string.match("run_id:0af9\\r", "run_id:(%x+)"), string.sub("abcdef", 2, -2)}',
  'return {true, false, "x", 1 == 1.0, "a" < "b", not nil, 1 and 2, nil or 3, false and 1 or 4}',
  'local t = {x = {y = 5}} t.x.y, t.z = t.x.y + 1, t.x.y return {t.x.y, t.z}',
  'local f = function(a, b) return b end return {f(1) == nil and "nil" or "x", math.floor(-2.5), math.ceil(2.1), math.max(1, 9, 3)}',
  'local fs = {} for i = 1, 3 do fs[i] = function() return i end end return {fs[1](), fs[2](), fs[3]()}',
  'local t = cmsgpack.unpack(cmsgpack.pack({a = 1.5, b = {1, -200, 70000, 5000000000, -5000000000}, c = "x", d = true})) return {t.a * 2, t.b[2], t.b[3], t.b[4], t.b[5], t.c, t.d}',
  'return 1 + {}',
  'return #nil',
  'local x return x.y',
]

test('scripts mean what they mean in Redis', { skip }, async (t) => {
  const redis = await openReal(t)
  const store = new RedisStore({ now: () => 0, runId, publish: () => 0 })
  for (const piece of pieces) {
    const own = store.do(['EVAL', piece, '0'])
    const real: unknown = await redis.eval(piece, 0).catch((error: Error) => error)
    if (real instanceof Error) assert.ok(own instanceof Error, piece)
    else assert.deepEqual(own, real, piece)
  }
})

test('what the Lua inside does not know is refused by name', () => {
  const store = new RedisStore({ now: () => 0, runId, publish: () => 0 })
  for (const piece of ['return os.time()', 'x = 1', 'return setmetatable({}, {})', 'return string.rep("a", 3)'])
    assert.throws(() => store.do(['EVAL', piece, '0']), /is not known here|not known/)
})
