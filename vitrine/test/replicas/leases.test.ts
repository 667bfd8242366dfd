// Two whole services over one database and one Redis, asked the same at the same time.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JoinRead } from '../../src/platform/client.ts'
import { Holder } from '../../../base/core/holder.ts'
import { createLeases } from '../../src/replicas/leases.ts'
import { openRedis, type Redis } from '../../../base/redis/redis.ts'
import { pausedPlatform, delayed } from '../support/paced-platform.ts'
import { page } from '../support/example-routes.ts'
import { askPostgres, noPostgres } from '../../../base/test/postgres.ts'
import { noRedis, redisUrl } from '../../../base/test/redis.ts'
import { plainRedis } from '../support/plain-redis.ts'
import { startReplicas } from '../support/replicas.ts'
import { refuse, type Script, send } from '../support/scripted-platform.ts'
import { until } from '../../../base/test/until.ts'
import { readContext } from '../platform/read-context.ts'

const skip = noPostgres || noRedis

/** `joined` resolves when a replica waits for the outcome of another's call */
async function startWatchedReplicas(t: TestContext, script: Script) {
  const scene = await startReplicas(t, script)
  const text = "SELECT left(encode(value, 'hex'), 16) AS id FROM secrets WHERE name = 'installation'"
  const [installation] = await askPostgres(scene.database.url, text)
  const { client, name } = plainRedis(t, String(installation?.['id']))
  const isJoined = async () => {
    const signs = await client.keys(name('alive', '*'))
    return signs.length > 0 && (await client.mget(signs)).includes('1')
  }
  // a call is joined in its first three seconds, or not at all
  return { ...scene, isJoined, joined: () => until(isJoined, 5_000) }
}

test('a hundred equal reads over two replicas are one platform call, and all get its answer', { skip }, async (t) => {
  const { script, release } = pausedPlatform()
  const { platform, askAll, events, retryIfRedisWasDown } = await startReplicas(t, script)
  await retryIfRedisWasDown(async (attempt) => {
    await until(() => events('answered').length === 100 * (attempt - 1))
    const calls = platform.calls.length
    const before = new Set(['answered', 'called', 'shared'].flatMap(events))
    const since = (kind: string) => events(kind).filter((event) => !before.has(event))
    const asked = askAll(page.path, 100)
    // all but the first at each
    await until(() => since('shared').length >= 98 && platform.calls.length > calls)
    await sleep(200)
    release()
    const answers = await asked
    for (const { status, json } of answers) {
      assert.equal(status, 200)
      assert.deepEqual(json, page.answer)
    }
    await until(() => since('answered').length === 100)
    assert.deepEqual([since('called').length, since('shared').length], [1, 99])
    const answered = since('answered').filter((event) => event.kind === 'answered')
    const sum = (of: (event: (typeof answered)[number]) => number) => answered.reduce((all, one) => all + of(one), 0)
    assert.deepEqual([sum(({ platformCalls }) => platformCalls), sum(({ shared = 0 }) => shared)], [1, 99])
  })
})

test('without Redis each replica makes its own call', { skip }, async (t) => {
  const { platform, askAll } = await startReplicas(t, delayed(300), { redis: () => null })
  await askAll(page.path, 4)
  const before = platform.calls.length
  for (const { json } of await askAll(page.path, 20)) assert.deepEqual(json, page.answer)
  assert.equal(platform.calls.length, before + 2)
})

test('a read joins the call of another replica whose answer is still arriving', { skip }, async (t) => {
  let arrival = Promise.withResolvers<void>()
  const script: Script = async (_, res) => {
    const body = JSON.stringify(page.healthy)
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    res.write(body.slice(0, 20))
    await arrival.promise
    res.end(body.slice(20))
  }
  const { platform, services, key, joined, retryIfRedisWasDown } = await startWatchedReplicas(t, script)
  const [a, b] = services
  assert.ok(a && b)
  await retryIfRedisWasDown(async () => {
    arrival = Promise.withResolvers()
    const calls = platform.calls.length
    const first = a.ask(page.path)
    await until(() => platform.calls.length === calls + 1)
    // nothing tells when the head has arrived
    await sleep(200)
    const second = b.ask(page.path, { key })
    await joined().finally(arrival.resolve)
    assert.deepEqual([(await first).status, (await second).status, platform.calls.length - calls], [200, 200, 1])
  })
})

test('every caller gets a refusal with their own request id, and the next request asks again', { skip }, async (t) => {
  const waiting: (() => void)[] = []
  const script: Script = (_, res) => void waiting.push(() => refuse(res, 404, 'NOT_FOUND'))
  const { platform, askAll, events, retryIfRedisWasDown } = await startReplicas(t, script)
  await retryIfRedisWasDown(async () => {
    const before = platform.calls.length
    const shared = events('shared').length
    const asked = askAll(page.path, 20)
    await until(() => events('shared').length >= shared + 18 && platform.calls.length > before)
    for (const answer of waiting.splice(0)) answer()
    const answers = await asked
    for (const { status, json } of answers) assert.deepEqual([status, json.error.code], [404, 'resource_not_found'])
    assert.equal(new Set(answers.map(({ json }) => json.error.requestId)).size, 20)
    assert.equal(platform.calls.length, before + 1)
  })
  platform.script = delayed(0)
  for (const { status } of await askAll(page.path, 2)) assert.equal(status, 200)
})

test('fresh reads, other questions and reads of testers are not shared with other replicas', { skip }, async (t) => {
  const { script, release } = pausedPlatform()
  const { platform, services, key } = await startReplicas(t, delayed(0))
  const [a, b] = services
  assert.ok(a && b)
  // of a platform key that has never been answered little is asked at once
  for (const one of [a, b])
    for (const connection of ['acme', 'other'])
      assert.equal((await one.ask(`/v1/connections/${connection}${page.path}`, { key })).status, 200)
  platform.script = script
  platform.calls.length = 0
  const testers = '/apps/a1/beta-feedback-screenshot-submissions'
  const reads = [
    a.ask(page.path),
    b.ask(page.path, { key, headers: { 'cache-control': 'no-cache' } }),
    b.ask(`${page.path}?limit=7`, { key }),
    b.ask(`/v1/connections/other${page.path}`, { key }),
    a.ask(testers),
    b.ask(testers, { key }),
  ]
  await until(() => platform.calls.length === 6)
  await sleep(100)
  assert.equal(platform.calls.length, 6)
  platform.script = (_, res) => send(res, page.healthy)
  release()
  const answers = await Promise.all(reads)
  assert.deepEqual(
    answers.slice(0, 4).map(({ status }) => status),
    [200, 200, 200, 200],
  )
})

test('a caller without the grant joins no call of another replica', { skip }, async (t) => {
  const { script, release } = pausedPlatform()
  const { platform, services, key, isJoined, joined, retryIfRedisWasDown } = await startWatchedReplicas(t, script)
  const [a, b] = services
  assert.ok(a && b)
  const narrow = await a.issue({ groups: ['apps'] })
  const elsewhere = await a.issue({ connections: ['other'] })
  await retryIfRedisWasDown(async () => {
    const calls = platform.calls.length
    const first = a.ask(page.path)
    await until(() => platform.calls.length === calls + 1)
    const statuses = [narrow, elsewhere, undefined].map(async (one) => (await b.ask(page.path, { key: one })).status)
    assert.deepEqual(await Promise.all(statuses), [403, 404, 401])
    assert.equal(await isJoined(), false)
    const joins = b.ask(page.path, { key })
    await joined().finally(release)
    assert.deepEqual([(await first).status, (await joins).status, platform.calls.length - calls], [200, 200, 1])
  })
})

test('a lease whose end Redis missed is ended later', { skip }, async (t) => {
  const steady = () => performance.now()
  const redis = await openRedis({
    url: redisUrl,
    prefix: ['vitrine', randomBytes(6).toString('hex')],
    steady,
    observe: () => {},
  })
  let isDeaf = false
  const deaf: Redis = { ...redis, run: async (...given) => (isDeaf ? undefined : redis.run(...given)) }
  const all = [deaf, redis].map((one) => createLeases({ redis: one, secret: Buffer.alloc(32), steady }))
  t.after(async () => {
    for (const one of all) one.close()
    await redis.close()
  })
  const [a, b] = all.map((one) => one.of('identity', () => {})) as [JoinRead, JoinRead]
  const until10s = () => readContext({ endsAt: steady() + 10_000 })
  await a('read', until10s(), async () => {
    isDeaf = true
    return new Holder('first')
  })
  setTimeout(() => (isDeaf = false), 150)
  const from = steady()
  const second = await b('read', until10s(), async () => new Holder('second'))
  assert.equal(second.take(), 'second')
  assert.ok(steady() - from < 1_500, `${steady() - from} ms`)
})
