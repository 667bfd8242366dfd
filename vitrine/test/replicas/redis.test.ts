import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '../../src/events.ts'
import { openRedis } from '../../../base/redis/redis.ts'
import { script } from '../../../base/redis/script.ts'
import { noRedis, ownRedis, redisUrl } from '../../../base/test/redis.ts'
import { startTcpProxy } from '../../../base/test/tcp-proxy.ts'
import { until } from '../../../base/test/until.ts'

const skip = noRedis
const steady = () => performance.now()

async function opened(t: TestContext, url: string) {
  const events: Event[] = []
  const installation = randomBytes(6).toString('hex')
  const redis = await openRedis({
    url,
    prefix: ['vitrine', installation],
    steady,
    observe: (event) => events.push(event),
  })
  t.after(() => redis.close())
  return { redis, events, kinds: () => events.map(({ kind }) => kind) }
}

async function overProxy(t: TestContext) {
  const proxy = await startTcpProxy({ port: Number(new URL(redisUrl).port || 6379) })
  t.after(() => proxy.close())
  return { proxy, ...(await opened(t, `redis://127.0.0.1:${proxy.port}`)) }
}

const count = script(`return redis.call('INCR', KEYS[1])`)

test('commands, bytes and scripts are answered, and nil is null', { skip }, async (t) => {
  const { redis } = await opened(t, redisUrl)
  const name = redis.name('a', 'b')
  assert.match(name, /^vitrine:[0-9a-f]{12}:a:b$/)
  assert.equal(await redis.ask('GET', name), null)
  const bytes = randomBytes(300)
  assert.equal(await redis.ask('SET', name, bytes, 'PX', 5_000), 'OK')
  assert.deepEqual(await redis.askBytes('GET', name), bytes)
  assert.equal(await redis.run(count, [redis.name('n')], []), 1)
  assert.equal(await redis.ask('SCRIPT', 'FLUSH'), 'OK')
  assert.equal(await redis.run(count, [redis.name('n')], []), 2)
  await redis.ask('PEXPIRE', redis.name('n'), 1_000)
  assert.equal(redis.isUp(), true)
})

test('subscribers get what is published', { skip }, async (t) => {
  const { redis } = await opened(t, redisUrl)
  const heard: string[] = []
  redis.listen(redis.name('word'), (message) => heard.push(message.toString()))
  await until(async () => (await redis.ask('PUBLISH', redis.name('word'), 'hello')) === 1)
  await until(() => heard.includes('hello'))
})

test(
  'no caller waits for a server that is down, and it is used again when it is back',
  { skip, timeout: 30_000 },
  async (t) => {
    const { redis, proxy, events, kinds } = await overProxy(t)
    proxy.setState('cut')
    assert.equal(await redis.ask('PING'), undefined)
    await until(() => !redis.isUp())
    const from = performance.now()
    for (let n = 0; n < 1_000; n++) assert.equal(await redis.ask('PING'), undefined)
    assert.ok(performance.now() - from < 100)
    assert.deepEqual(kinds(), ['redis_away'])
    proxy.setState('whole')
    await until(() => redis.isUp(), 5_000)
    assert.equal(await redis.ask('PING'), 'PONG')
    assert.deepEqual(kinds(), ['redis_away', 'redis_back'])
    assert.ok(!JSON.stringify(events).includes('undefined'))
  },
)

test('a silent server costs one short wait, and no other until it answers', { skip, timeout: 30_000 }, async (t) => {
  const { redis, proxy } = await overProxy(t)
  for (const trouble of ['frozen', 'slow'] as const) {
    if (trouble === 'slow') proxy.delay(2_000)
    else proxy.setState('frozen')
    const from = performance.now()
    assert.deepEqual(await Promise.all([redis.ask('PING'), redis.ask('PING')]), [undefined, undefined])
    assert.ok(performance.now() - from < 250, `${performance.now() - from} ms`)
    assert.equal(redis.isUp(), false)
    const again = performance.now()
    assert.equal(await redis.ask('PING'), undefined)
    assert.ok(performance.now() - again < 20)
    // also where it is made anew meanwhile
    await sleep(2_500)
    assert.equal(redis.isUp(), false)
    proxy.setState('whole')
    proxy.delay(0)
    await until(() => redis.isUp(), 8_000)
    assert.equal(await redis.ask('PING'), 'PONG')
  }
})

test(
  'a service starts without Redis, reports it, and uses it once it is there',
  { skip, timeout: 30_000 },
  async (t) => {
    const own = await ownRedis()
    await own.kill()
    const { redis, kinds, events } = await opened(t, `redis://:geheim@127.0.0.1:${own.port}`)
    assert.equal(redis.isUp(), false)
    assert.deepEqual(kinds(), ['redis_away'])
    assert.ok(!JSON.stringify(events).includes('geheim'))
    assert.match(JSON.stringify(events), /ECONNREFUSED/)
    await own.start()
    t.after(() => own.kill())
    await until(() => redis.isUp(), 8_000)
  },
)

test('a refused command is reported, and does not count as an outage', { skip }, async (t) => {
  const { redis, kinds } = await opened(t, redisUrl)
  await redis.ask('SET', redis.name('text'), 'x', 'PX', 5_000)
  assert.equal(await redis.ask('INCR', redis.name('text')), undefined)
  assert.deepEqual(kinds(), ['redis_refused'])
  assert.equal(redis.isUp(), true)
})
