// A Redis that answers reads and refuses writes counts as down: its data is not used, and each replica takes its part.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '../../src/events.ts'
import { markStoreIn } from '../../src/replicas/revocation-mark-redis.ts'
import { createSealedMessages } from '../../../base/redis/sealed-messages.ts'
import { createSharedRates } from '../../src/replicas/shared-rates.ts'
import { openRedis } from '../../../base/redis/redis.ts'
import { everyCommand } from '../../../base/redis/redis-write-check.ts'
import { createSessionStore } from '../../src/replicas/session-store.ts'
import { plainRedis } from '../support/plain-redis.ts'
import { noRedis } from '../../../base/test/redis.ts'
import { type RefusingRedis, refusingRedis, troubles } from '../support/refusing-redis.ts'
import { createRollingPlatform } from '../support/rolling-platform.ts'
import { until } from '../../../base/test/until.ts'
import { createReplicas, keepCalling, steady, sumOf } from './schedulers.ts'

const skip = noRedis

async function opened(t: TestContext, { url }: RefusingRedis, installation = randomBytes(6).toString('hex')) {
  const events: Event[] = []
  const redis = await openRedis({
    url,
    prefix: ['vitrine', installation],
    steady,
    observe: (event) => events.push(event),
  })
  t.after(() => redis.close())
  return { redis, events }
}

/** without a request, it counts as down, with the reason, and as up again when it accepts writes */
async function isLost(t: TestContext, server: RefusingRedis, code: string) {
  const { redis, events } = await opened(t, server)
  assert.equal(redis.isUp(), true)
  await server.refuse(code)
  await until(() => !redis.isUp())
  await until(() => redis.state().reason === code)
  assert.equal(await redis.ask('GET', redis.name('x')), undefined)
  await sleep(300)
  assert.equal(redis.isUp(), false)
  const away = events.find(({ kind }) => kind === 'redis_away')
  assert.ok(away?.kind === 'redis_away' && away.reason.startsWith(`${code} `), JSON.stringify(away))
  await server.recover(code)
  await until(() => redis.isUp())
  assert.equal(redis.state().reason, undefined)
}

for (const code of Object.keys(troubles))
  test(
    `a Redis that refuses with ${code} is away and says why, and no quota is passed`,
    {
      skip,
      timeout: 60_000,
    },
    async (t) => {
      const server = await refusingRedis(t)
      await isLost(t, server, code)
      const start = createReplicas(t, { replicas: () => 2 })
      const replicas = [await start(server.url), await start(server.url)]
      const platform = createRollingPlatform({ limit: 120 })
      const endsAt = steady() + 4_000
      const calling = Promise.all(
        Array.from({ length: 8 }, (_, n) => keepCalling(() => replicas[n % 2]?.scheduler, endsAt, { platform })),
      )
      for (let n = 0; n < 2; n++) {
        await sleep(250)
        await server.refuse(code)
        await sleep(1_200)
        await server.recover(code)
        await sleep(250)
      }
      const outcomes = sumOf(await calling)
      t.diagnostic(JSON.stringify({ outcomes, left: platform.left(), over: platform.over() }))
      // as without Redis: less than what both have in flight
      assert.ok(platform.over() < 6, `${platform.over()}`)
      assert.ok(platform.taken() >= 60)
    },
  )

test(
  'each replica grants half of the limit while Redis takes no writes, and no more when it does again',
  { skip },
  async (t) => {
    const server = await refusingRedis(t)
    const installation = randomBytes(6).toString('hex')
    const both = await Promise.all([opened(t, server, installation), opened(t, server, installation)])
    const rates = both.map(({ redis }) => createSharedRates({ standard: 0, redis, replicas: () => 2, steady }))
    const admitted = async (count: number) => {
      let sum = 0
      for (let n = 0; n < count; n++)
        for (const one of rates) if ((await one.take({ id: 'key', perMinute: 20 }))?.allowed) sum++
      return sum
    }
    await server.refuse('OOM')
    assert.equal(await admitted(15), 20)
    await server.recover('OOM')
    await until(() => both.every(({ redis }) => redis.isUp()))
    assert.equal(await admitted(15), 0)
  },
)

test(
  'neither an old copy nor a server that takes no writes answers for a session or a revocation',
  {
    skip,
    timeout: 60_000,
  },
  async (t) => {
    const server = await refusingRedis(t)
    for (const code of ['READONLY', 'OOM', 'NOREPLICAS', 'MISCONF']) {
      // without the link: what the scripts themselves accept
      const { client, ...patient } = plainRedis(t, undefined, server.url)
      const asking = {
        ...patient,
        run: (...asked: Parameters<typeof patient.run>) => patient.run(...asked).catch(() => undefined),
        ask: (...asked: Parameters<typeof client.call>) => client.call(...asked).catch(() => undefined),
      }
      const store = createSessionStore({
        redis: asking,
        seal: createSealedMessages(Buffer.alloc(32), 'sessions'),
        idleMs: 60_000,
        longestMs: 60_000,
        most: 5,
      })
      const board = markStoreIn(asking as never)
      const now = (await store.now()) ?? 0
      const times = { startedAt: now, usedAt: now, endsAt: now + 60_000 }
      await store.put('mine', { who: 'me', role: undefined, csrf: 'x', digest: Buffer.alloc(32), ...times })
      const found = async () => [typeof (await store.find('mine')), await store.states(['mine']), await board.read('m')]
      assert.deepEqual(await found(), ['object', ['live'], await board.read('m')])
      await server.refuse(code)
      assert.deepEqual(await found(), ['undefined', undefined, undefined], code)
      assert.equal(await board.replace('n'), false)
      await server.recover(code)
      assert.equal(typeof (await store.find('mine')), 'object')
    }
  },
)

test(
  'a Redis whose memory is full again and again is trusted later each time',
  { skip, timeout: 60_000 },
  async (t) => {
    const server = await refusingRedis(t)
    const { redis, events } = await opened(t, server)
    const endsAt = steady() + 4_000
    while (steady() < endsAt) {
      await server.refuse('OOM')
      await sleep(150)
      await server.recover('OOM')
      await sleep(150)
      await redis.ask('SET', redis.name('x'), '1', 'PX', 100)
    }
    const backs = events.filter(({ kind }) => kind === 'redis_back').length
    assert.ok(backs <= 5, `${backs} times`)
  },
)

test('Redis counts as down where its user lacks a right to any command in use', { skip }, async (t) => {
  const folder = join(import.meta.dirname, '../../src/replicas')
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  const used = new Set(texts.flatMap((text) => [...text.matchAll(/redis\.call\('(\w+)'/g)].map(([, name]) => name)))
  // without these writes no replica is notified early, and none reads without the database: neither accepts a revoked key
  for (const name of ['PUBLISH', 'INFO']) used.delete(name)
  const server = await refusingRedis(t)
  const { redis } = await opened(t, server)
  assert.ok(used.size > 20)
  for (const name of used) assert.ok(everyCommand.text.includes(`'${name}'`), `${name} is not tried`)
  for (const name of ['hset', 'evalsha', 'zadd']) {
    await server.hand.call('ACL', 'SETUSER', 'service', `-${name}`)
    await until(() => !redis.isUp(), 5_000)
    // Redis has no error code for what a script may not do
    assert.equal(redis.state().reason, name === 'evalsha' ? 'NOPERM' : 'ERR')
    await server.hand.call('ACL', 'SETUSER', 'service', `+${name}`)
    await until(() => redis.isUp(), 15_000)
  }
})
