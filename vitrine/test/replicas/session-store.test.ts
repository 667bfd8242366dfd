import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSessions } from '../../../base/auth/sessions.ts'
import { createSealedMessages } from '../../../base/redis/sealed-messages.ts'
import { openRedis } from '../../../base/redis/redis.ts'
import { createSessionStore } from '../../src/replicas/session-store.ts'
import { createSharedSessions } from '../../src/replicas/shared-sessions.ts'
import { noRedis, redisUrl } from '../../../base/test/redis.ts'
import { retryIfDisturbed } from '../../../base/test/retry-scene.ts'
import { until } from '../../../base/test/until.ts'

interface Bounds {
  readonly idleMs: number
  readonly longestMs: number
  readonly most: number
}

/** the sessions of two replicas over one Redis, with short times */
async function startTwo(t: TestContext, bounds: Bounds) {
  let timesDown = 0
  const [installation, secret] = [randomBytes(6).toString('hex'), randomBytes(32)]
  const digest = randomBytes(32)
  const tokens = { isValid: (given: Buffer) => given.equals(digest) }
  const open = async () => {
    const redis = await openRedis({
      url: redisUrl,
      prefix: ['vitrine', installation],
      observe: (event) => void (event.kind === 'redis_away' && timesDown++),
      steady: () => performance.now(),
    })
    const memory = createSessions({ tokens, now: Date.now, ...bounds })
    const store = createSessionStore({ redis, seal: createSealedMessages(secret, 'sessions'), ...bounds })
    const sessions = createSharedSessions({ store, memory, tokens, now: Date.now, isUp: () => redis.isUp() })
    t.after(() => redis.close())
    t.after(() => sessions.close())
    return { redis, sessions }
  }
  const [one, two] = [await open(), await open()]
  const begin = async () => {
    // each begins in a different millisecond
    await sleep(3)
    return one.sessions.begin({ who: 'operator:x', digest })
  }
  return { one: one.sessions, two: two.sessions, redis: one.redis, begin, wasDisturbed: () => timesDown > 0 }
}

type Scene = Awaited<ReturnType<typeof startTwo>>

const testOver = (title: string, bounds: Bounds, play: (scene: Scene) => Promise<void>) =>
  void test(title, { skip: noRedis }, (t) => retryIfDisturbed(() => startTwo(t, bounds), play))

testOver(
  'a session ends when it was idle at all replicas, and at its end, by the clock of Redis',
  { idleMs: 1_500, longestMs: 6_000, most: 10 },
  async ({ one, two, begin }) => {
    const [idle, busy] = [await begin(), await begin()]
    const from = performance.now()
    let isIdleOver = false
    for (let touchedAt = from; !isIdleOver; await sleep(100)) {
      const found = await two.find(busy.secret)
      // a machine that stops for so long leaves this session idle, too
      if (performance.now() - touchedAt > 1_000) return
      assert.ok(typeof found === 'object', 'a touch at one replica keeps the session live at the other')
      await two.touch(found)
      touchedAt = performance.now()
      assert.equal(await one.isLive(busy.session), true)
      isIdleOver = (await one.find(idle.secret)) === 'ended' && (await two.find(idle.secret)) === 'ended'
    }
    await until(async () => (await two.find(busy.secret)) === 'ended')
    const lastedMs = performance.now() - from
    assert.ok(lastedMs > 1_500 && lastedMs < 12_000, `${lastedMs} ms`)
    assert.equal(await one.find(busy.secret), 'ended')
  },
)

testOver(
  'a session in constant use still ends',
  { idleMs: 60_000, longestMs: 700, most: 10 },
  async ({ one, two, begin }) => {
    const mine = await begin()
    for (const each of [one, two, one]) await each.touch(mine.session)
    for (const each of [one, two]) await until(async () => (await each.find(mine.secret)) === 'ended')
  },
)

testOver(
  'sessions are bounded over all replicas, and the one idle longest makes room',
  { idleMs: 60_000, longestMs: 600_000, most: 3 },
  async ({ one, two, begin }) => {
    const all: Awaited<ReturnType<typeof begin>>[] = []
    for (let n = 0; n < 3; n++) {
      all.push(await begin())
      // Redis tells times in milliseconds
      await sleep(5)
    }
    const [first, second] = all
    for (const { secret } of all) assert.equal(typeof (await two.find(secret)), 'object')
    const found = await two.find(first?.secret ?? '')
    assert.ok(typeof found === 'object')
    await sleep(5)
    await two.touch(found)
    const fourth = await begin()
    assert.equal(typeof (await two.find(fourth.secret)), 'object')
    await sleep(1_200)
    for (const each of [one, two]) {
      assert.equal(await each.find(second?.secret ?? ''), 'ended', 'no replica that cached it restores it')
      assert.equal(typeof (await each.find(first?.secret ?? '')), 'object')
    }
  },
)

testOver(
  'Redis stores only a hash and sealed bytes of a session, and no session opens with the bytes of another',
  { idleMs: 5_000, longestMs: 600_000, most: 10 },
  async ({ one, two, redis, begin }) => {
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
