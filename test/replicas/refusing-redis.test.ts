// A Redis that answers and refuses writes is away: nobody goes by what is read there, and each replica takes its part.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '../../src/observe.ts'
import { boardOver } from '../../src/replicas/board.ts'
import { createEnvelopes } from '../../src/replicas/envelopes.ts'
import { createSharedRates } from '../../src/replicas/rates.ts'
import { openRedis } from '../../src/replicas/redis.ts'
import { proofScript } from '../../src/replicas/redis-proof.ts'
import { createSessionShelf } from '../../src/replicas/session-shelf.ts'
import { patientRedis } from '../ground/patient-redis.ts'
import { noRedis } from '../ground/redis.ts'
import { type RefusingRedis, refusingRedis, troubles } from '../ground/refusing-redis.ts'
import { createRollingPlatform } from '../ground/rolling-platform.ts'
import { until } from '../ground/until.ts'
import { createReplicas, keepCalling, steady, sumOf } from './callers.ts'

const skip = noRedis

async function opened(t: TestContext, { url }: RefusingRedis, installation = randomBytes(6).toString('hex')) {
  const events: Event[] = []
  const redis = await openRedis({ url, installation, steady, observe: (event) => events.push(event) })
  t.after(() => redis.close())
  return { redis, events }
}

/** it is away though nobody asks it, says why, and is back when it takes writes */
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
        Array.from({ length: 8 }, (_, n) => keepCalling(() => replicas[n % 2]?.governor, endsAt, { platform })),
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
  'a key has its rate by halves while Redis takes no writes, and no more when it does again',
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
  'no old copy tells of a session or of what was revoked, nor a server that could not be told of either',
  {
    skip,
    timeout: 60_000,
  },
  async (t) => {
    const server = await refusingRedis(t)
    for (const code of ['READONLY', 'OOM', 'NOREPLICAS', 'MISCONF']) {
      // asked past the link: what the scripts themselves let through
      const { client, ...patient } = patientRedis(t, undefined, server.url)
      const asking = {
        ...patient,
        run: (...asked: Parameters<typeof patient.run>) => patient.run(...asked).catch(() => undefined),
        ask: (command: string, ...values: string[]) => client.call(command, ...values).catch(() => undefined),
      }
      const shelf = createSessionShelf({
        ...{ redis: asking, envelopes: createEnvelopes(Buffer.alloc(32), 'sessions') },
        ...{ idleMs: 60_000, longestMs: 60_000, most: 5 },
      })
      const board = boardOver(asking as never)
      const now = (await shelf.now()) ?? 0
      const times = { startedAt: now, stirredAt: now, endsAt: now + 60_000 }
      await shelf.put('mine', { who: 'me', csrf: 'x', digest: Buffer.alloc(32), ...times })
      const found = async () => [typeof (await shelf.find('mine')), await shelf.states(['mine']), await board.read('m')]
      assert.deepEqual(await found(), ['object', ['live'], await board.read('m')])
      await server.refuse(code)
      assert.deepEqual(await found(), ['undefined', undefined, undefined], code)
      assert.equal(await board.change('n'), false)
      await server.recover(code)
      assert.equal(typeof (await shelf.find('mine')), 'object')
    }
  },
)

test(
  'a Redis whose memory has room for moments only is not believed each time',
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

test('a right that is missing for any command that the replicas use makes Redis away', { skip }, async (t) => {
  const folder = join(import.meta.dirname, '../../src/replicas')
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  const used = new Set(texts.flatMap((text) => [...text.matchAll(/redis\.call\('(\w+)'/g)].map(([, name]) => name)))
  // without these, nobody is told sooner, and nobody reads without the database: neither lets anybody in
  for (const name of ['PUBLISH', 'INFO']) used.delete(name)
  const server = await refusingRedis(t)
  const { redis } = await opened(t, server)
  assert.ok(used.size > 20)
  for (const name of used) assert.ok(proofScript.text.includes(`'${name}'`), `${name} is not tried`)
  for (const name of ['hset', 'evalsha', 'zadd']) {
    await server.hand.call('ACL', 'SETUSER', 'service', `-${name}`)
    await until(() => !redis.isUp(), 5_000)
    // what a script may not do has no code of its own
    assert.equal(redis.state().reason, name === 'evalsha' ? 'NOPERM' : 'ERR')
    await server.hand.call('ACL', 'SETUSER', 'service', `+${name}`)
    await until(() => redis.isUp(), 15_000)
  }
})
