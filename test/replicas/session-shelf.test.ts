import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSessions } from '../../src/http/operator/sessions.ts'
import { createEnvelopes } from '../../src/replicas/envelopes.ts'
import { openRedis } from '../../src/replicas/redis.ts'
import { createSessionShelf } from '../../src/replicas/session-shelf.ts'
import { createSharedSessions } from '../../src/replicas/sessions.ts'
import { noRedis, redisUrl } from '../ground/redis.ts'
import { until } from '../ground/until.ts'

const skip = noRedis

/** sessions of two replicas over one Redis, with short times, and nothing above them */
async function startTwo(t: TestContext, bounds: { idleMs: number; longestMs: number; most: number }) {
  const [installation, secret] = [randomBytes(6).toString('hex'), randomBytes(32)]
  const digest = randomBytes(32)
  const tokens = { holds: (given: Buffer) => given.equals(digest) }
  const open = async () => {
    const redis = await openRedis({ url: redisUrl, installation, observe: () => {}, steady: () => performance.now() })
    const memory = createSessions({ tokens, now: Date.now, ...bounds })
    const shelf = createSessionShelf({ redis, envelopes: createEnvelopes(secret, 'sessions'), ...bounds })
    const sessions = createSharedSessions({ shelf, memory, tokens, now: Date.now, isUp: () => redis.isUp() })
    t.after(() => redis.close())
    t.after(() => sessions.close())
    return { redis, sessions }
  }
  const [one, two] = [await open(), await open()]
  const begin = async () => {
    // one after the other, by a clock of milliseconds
    await sleep(3)
    return one.sessions.begin({ who: 'operator:x', digest })
  }
  return { one: one.sessions, two: two.sessions, redis: one.redis, begin }
}

test('a session ends when it was idle at all replicas, and at its end, by the clock of Redis', { skip }, async (t) => {
  const { one, two, begin } = await startTwo(t, { idleMs: 600, longestMs: 2_000, most: 10 })
  const [idle, busy] = [await begin(), await begin()]
  const from = performance.now()
  while (performance.now() - from < 1_500) {
    const found = await two.find(busy.secret)
    assert.ok(typeof found === 'object', 'what one replica is used for keeps it awake at the other')
    await two.stir(found)
    assert.equal(await one.isLive(busy.session), true)
    await sleep(100)
  }
  for (const each of [one, two]) assert.equal(await each.find(idle.secret), 'ended')
  await until(async () => (await two.find(busy.secret)) === 'ended')
  const lastedMs = performance.now() - from
  assert.ok(lastedMs > 550 && lastedMs < 4_000, `${lastedMs} ms`)
  assert.equal(await one.find(busy.secret), 'ended')
})

test('a session that somebody is always at ends all the same', { skip }, async (t) => {
  const { one, two, begin } = await startTwo(t, { idleMs: 5_000, longestMs: 700, most: 10 })
  const mine = await begin()
  for (const each of [one, two, one]) await each.stir(mine.session)
  await sleep(800)
  for (const each of [one, two]) assert.equal(await each.find(mine.secret), 'ended')
})

test(
  'over all replicas there are so many at most, and the one that was idle longest makes room',
  { skip },
  async (t) => {
    const { one, two, begin } = await startTwo(t, { idleMs: 60_000, longestMs: 600_000, most: 3 })
    const all = [await begin(), await begin(), await begin()]
    const [first, second] = all
    for (const { secret } of all) assert.equal(typeof (await two.find(secret)), 'object')
    const found = await two.find(first?.secret ?? '')
    assert.ok(typeof found === 'object')
    await sleep(5)
    await two.stir(found)
    const fourth = await begin()
    assert.equal(typeof (await two.find(fourth.secret)), 'object')
    await sleep(1_200)
    for (const each of [one, two]) {
      assert.equal(await each.find(second?.secret ?? ''), 'ended', 'nobody who has it still brings it back')
      assert.equal(typeof (await each.find(first?.secret ?? '')), 'object')
    }
  },
)

test(
  'Redis holds nothing of a session but a hash and sealed bytes, and bytes of another open nothing',
  { skip },
  async (t) => {
    const { one, two, redis, begin } = await startTwo(t, { idleMs: 5_000, longestMs: 600_000, most: 10 })
    const [mine, other] = [await begin(), await begin()]
    const keys = (await redis.ask('KEYS', redis.name('session', '*'))) as string[]
    assert.equal(keys.length, 2)
    const values = (await redis.ask('MGET', ...keys)) as string[]
    for (const text of [...keys, ...values])
      for (const secret of [mine.secret, mine.session.csrf, 'operator:x', other.secret])
        assert.ok(!text.includes(secret))
    for (const key of keys) assert.ok(Number(await redis.ask('PTTL', key)) > 0)
    const [a = '', b = ''] = keys
    await redis.ask('SET', a, values[1] ?? '', 'PX', 60_000)
    await redis.ask('SET', b, `${Date.now() + 1e9}.AAAA`, 'PX', 60_000)
    for (const { secret } of [mine, other])
      for (const each of [two, one]) assert.equal(await each.find(secret), 'ended')
  },
)
