import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { noPostgres } from '../../../base/test/postgres.ts'
import { noRedis, redisUrl } from '../../../base/test/redis.ts'
import { codes, pageOf } from '../support/caching-service.ts'
import { type ReplicasOptions, startReplicas } from '../support/replicas.ts'
import { refuse, type Script } from '../support/scripted-platform.ts'
import { startTcpProxy } from '../../../base/test/tcp-proxy.ts'
import { until } from '../../../base/test/until.ts'

const skip = noPostgres || noRedis
const fresh = { headers: { 'cache-control': 'no-cache' } }

async function startRemembering(t: TestContext, script: Script, options: ReplicasOptions = {}) {
  const scene = await startReplicas(t, script, { ...options, file: { cacheSeconds: 60, ...options.file } })
  const [a, b] = scene.services.map(
    ({ ask }) =>
      (path: string, asking = {}) =>
        ask(path, { key: scene.key, ...asking }),
  )
  assert.ok(a && b)
  return { ...scene, a, b, calls: () => scene.platform.calls.length }
}

test('all replicas answer from a shared cache, with the same ETag and age', { skip }, async (t) => {
  const { a, b, calls, platform, retryIfRedisWasDown } = await startRemembering(t, pageOf('Spring', 'place-1'))
  await retryIfRedisWasDown(async (attempt) => {
    const asked = codes.replace('s1', `s${attempt}`)
    const before = calls()
    platform.script = pageOf('Spring', 'place-1')
    const first = await a(asked)
    assert.match(String(first.headers['cache-status']), /fwd=uri-miss; stored/)
    platform.script = pageOf('Summer', 'place-1')
    await sleep(1_100)
    for (const ask of [b, a, b]) {
      const again = await ask(asked)
      assert.equal(again.text, first.text)
      assert.equal(again.headers['etag'], first.headers['etag'])
      assert.match(String(again.headers['cache-status']), /^vitrine; hit; ttl=5\d$/)
      assert.ok(Number(again.headers['age']) >= 1)
    }
    const copy = await b(asked, { headers: { 'if-none-match': String(first.headers['etag']) } })
    assert.deepEqual([copy.status, copy.text], [304, ''])
    assert.equal(calls(), before + 1)
    const read = await b(asked, fresh)
    assert.equal(read.json.items[0].name, 'Summer')
    assert.equal((await a(asked)).json.items[0].name, 'Summer')
    assert.equal(calls(), before + 2)
  })
})

test('a fresh read that finds nothing removes the cached answer everywhere', { skip }, async (t) => {
  const { a, b, calls, platform, retryIfRedisWasDown } = await startRemembering(t, pageOf('Spring'))
  for (const status of [403, 404])
    await retryIfRedisWasDown(async () => {
      platform.script = pageOf('Spring')
      await a(codes, fresh)
      assert.match(String((await b(codes)).headers['cache-status']), /hit/)
      platform.script = (_, res) => refuse(res, status, 'CODE')
      const before = calls()
      assert.equal((await a(codes, fresh)).status, status)
      assert.equal((await b(codes)).status, status, 'the other asks anew')
      assert.equal(calls(), before + 2)
    })
})

test('a slow read never replaces a read that began later at another replica', { skip }, async (t) => {
  const waiting: (() => void)[] = []
  const { a, b, calls, retryIfRedisWasDown } = await startRemembering(t, (call, res) => {
    const script = pageOf(`read ${waiting.length}`)
    waiting.push(() => void script(call, res))
  })
  await retryIfRedisWasDown(async () => {
    const before = calls()
    const called = (count: number) => until(() => calls() === before + count)
    const slow = a(codes, fresh)
    await called(1)
    const later = b(codes, fresh)
    await called(2)
    waiting[before + 1]?.()
    assert.match(String((await later).headers['cache-status']), /stored/)
    waiting[before]?.()
    assert.doesNotMatch(String((await slow).headers['cache-status']), /stored/)
    for (const ask of [a, b, a]) assert.equal((await ask(codes)).json.items[0].name, `read ${before + 1}`)
    assert.equal(calls(), before + 2)
  })
})

test('a hundred equal requests with cold caches make one call, and get the same bytes', { skip }, async (t) => {
  const waiting: (() => void)[] = []
  const { askAll, calls, a, b, events, retryIfRedisWasDown } = await startRemembering(t, (call, res) => {
    waiting.push(() => void pageOf('Spring', 'place-1')(call, res))
  })
  await retryIfRedisWasDown(async (attempt) => {
    const asked = codes.replace('s1', `s${attempt}`)
    const [before, shared] = [calls(), events('shared').length]
    const asking = askAll(asked, 100)
    await until(() => events('shared').length >= shared + 98 && calls() > before)
    for (const answer of waiting.splice(0)) answer()
    const answers = await asking
    assert.equal(new Set(answers.map(({ json }) => JSON.stringify(json.items))).size, 1)
    assert.equal(new Set(answers.map(({ headers }) => headers['etag'])).size, 1, 'a place of a walk is one cursor')
    for (const ask of [a, b]) assert.match(String((await ask(asked)).headers['cache-status']), /hit/)
    assert.equal(calls(), before + 1)
  })
})

test(
  "while Redis is down each replica caches by itself, and no longer than the answer's seconds",
  { skip },
  async (t) => {
    const proxy = await startTcpProxy({ port: Number(new URL(redisUrl).port || 6379) })
    t.after(() => proxy.close())
    const redis = () => `redis://127.0.0.1:${proxy.port}`
    const file = { cacheSeconds: 3 }
    const { a, b, calls, platform, events } = await startRemembering(t, pageOf('Spring'), { redis, file })
    const nameOf = async (ask: typeof a, asking = {}) => (await ask(codes, asking)).json.items[0].name
    const become = async (wire: 'cut' | 'whole', kind: string) => {
      const before = events(kind).length
      proxy.setState(wire)
      await until(() => events(kind).length === before + 2, 20_000)
    }
    assert.deepEqual([await nameOf(a), await nameOf(b), calls()], ['Spring', 'Spring', 1])
    const remembered = performance.now()
    proxy.setState('cut')
    platform.script = pageOf('Summer')
    assert.deepEqual([await nameOf(a), await nameOf(b), calls()], ['Spring', 'Spring', 1])
    assert.deepEqual(
      [await nameOf(a, fresh), await nameOf(a), await nameOf(b), calls()],
      ['Summer', 'Summer', 'Spring', 2],
    )
    await sleep(Math.max(0, remembered + 3_050 - performance.now()))
    assert.equal(await nameOf(b), 'Summer', 'it has asked anew')

    await become('whole', 'redis_back')
    platform.script = pageOf('Autumn')
    assert.deepEqual([await nameOf(a, fresh), await nameOf(b)], ['Autumn', 'Autumn'])
    const before = calls()
    proxy.setState('cut')
    platform.script = pageOf('Winter')
    assert.equal(await nameOf(b, fresh), 'Winter')
    await become('whole', 'redis_back')
    assert.equal(await nameOf(b), 'Winter', 'nothing older takes its place')
    assert.equal(await nameOf(a), 'Winter')
    assert.ok(calls() <= before + 2)
  },
)
