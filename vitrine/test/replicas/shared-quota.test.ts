import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSharedQuotas } from '../../src/replicas/shared-quota.ts'
import { plainRedis } from '../support/plain-redis.ts'
import { noRedis } from '../../../base/test/redis.ts'
import { until } from '../../../base/test/until.ts'
import { type TestQuota, sharedQuotas, newId } from './shared-quotas.ts'

const skip = noRedis

/** each replica makes a first call, which reports this */
async function reportFirst(replicas: readonly TestQuota[], hour: { limit: number; remaining: number }) {
  for (const [n, one] of replicas.entries()) {
    await one.reserve(`first${n}`, false)
    await one.heard(`first${n}`, { hour }, false)
  }
}

test('a killed replica gives nothing back while its calls may still arrive', { skip }, async (t) => {
  const [a, b] = sharedQuotas(t, { holdMs: 600 })
  assert.ok(a && b)
  assert.equal((await a.reserve('first', false))?.granted, true)
  assert.equal((await a.heard('first', { hour: { limit: 10, remaining: 3 } }, false))?.hour?.remaining, 3)
  for (const name of ['x', 'y']) assert.equal((await a.reserve(name, false))?.granted, true)
  assert.deepEqual((await b.read())?.hour, { limit: 10, remaining: 1 })
  await sleep(700)
  assert.deepEqual((await b.read())?.hour, { limit: 10, remaining: 1 }, 'what may have been counted stays counted')
  assert.equal((await b.reserve('z', false))?.granted, true)
  assert.equal((await b.reserve('late', false))?.granted, false)
  assert.equal((await b.heard('z', { hour: { limit: 10, remaining: 2 } }, false))?.hour?.remaining, 2)
})

test('an unused reservation is given back, and one without an answer counts for a while', { skip }, async (t) => {
  const [a, b] = sharedQuotas(t)
  assert.ok(a && b)
  await a.reserve('first', false)
  await a.heard('first', { hour: { limit: 10, remaining: 3 } }, false)
  await a.reserve('x', false)
  await a.release('x')
  assert.equal((await b.read())?.hour?.remaining, 3)
  await b.reserve('y', false)
  await b.ended('y')
  assert.equal((await a.read())?.hour?.remaining, 2)
})

test('one call of all replicas goes first while the quota is unknown', { skip }, async (t) => {
  const [a, b] = sharedQuotas(t)
  assert.ok(a && b)
  const first = await a.reserve('first', false)
  assert.deepEqual([first?.granted, first?.careful, first?.hour], [true, true, undefined])
  assert.equal((await b.reserve('second', false))?.granted, false)
  const trial = await b.reserve('trial', true)
  assert.equal(trial?.granted, true, 'the trial call is granted')
  await b.release('trial')
  await a.heard('first', {}, false)
  // b has joined since, and may have uncounted calls in flight
  assert.equal((await a.reserve('second', false))?.granted, true)
  assert.equal((await a.reserve('third', false))?.granted, false)
  await a.heard('second', {}, false)
  for (const name of ['1', '2', '3']) {
    const standing = await a.reserve(name, false)
    assert.deepEqual([standing?.granted, standing?.hour], [true, undefined], 'a platform that says nothing')
  }
})

test('while one call tests an old report, others wait for its answer', { skip }, async (t) => {
  const [a, b] = sharedQuotas(t, { hourMs: 60_000 })
  assert.ok(a && b)
  await reportFirst([a, b], { limit: 10, remaining: 0 })
  const wait = (await b.reserve('early', false))?.waitMs ?? 0
  assert.ok(wait > 500 && wait <= 1_000, `a report is tested after a minute, and not ${wait} ms`)
  let own = 0
  await until(async () => {
    const standing = await a.reserve('test', false)
    own = standing?.waitMs ?? 0
    return standing?.granted === true
  })
  assert.ok(own > 0 && own <= 100, `callers beside it wait for its answer in its own replica too, and not ${own} ms`)
  const beside = await b.reserve('beside', false)
  assert.ok(beside && !beside.granted && beside.waitMs <= 100, `${beside?.waitMs} ms`)
  await a.heard('test', { hour: { limit: 10, remaining: 5 } }, false)
  assert.equal((await b.reserve('after', false))?.granted, true)
})

test('a test of an old report that is given back puts off no other', { skip }, async (t) => {
  const [a, b] = sharedQuotas(t, { hourMs: 60_000 })
  assert.ok(a && b)
  await reportFirst([a, b], { limit: 10, remaining: 0 })
  await until(async () => (await a.reserve('left', false))?.granted === true)
  await a.release('left')
  assert.equal((await b.reserve('test', false))?.granted, true)
})

test('what a call reports takes the place of older reports, also if a replica came meanwhile', { skip }, async (t) => {
  const [a, b] = sharedQuotas(t)
  assert.ok(a && b)
  await a.reserve('first', false)
  await a.heard('first', { hour: { limit: 10, remaining: 3 } }, false)
  await a.reserve('second', false)
  await b.reserve('new', false)
  await b.release('new')
  assert.equal((await a.heard('second', { hour: { limit: 10, remaining: 9 } }, false))?.hour?.remaining, 9)
})

test('a replica that is new makes no second call beside the one that tries after a 429', { skip }, async (t) => {
  const [a, b] = sharedQuotas(t)
  assert.ok(a && b)
  await a.reserve('first', false)
  await a.heard('first', { hour: { limit: 10, remaining: 5 } }, true)
  await until(async () => (await a.reserve('try', false))?.granted === true)
  assert.equal((await b.reserve('new', false))?.granted, false)
  await a.heard('try', { hour: { limit: 10, remaining: 4 } }, false)
  assert.equal((await b.reserve('new', false))?.granted, true)
})

test('while unreserved calls may be in flight, that many calls are kept free', { skip }, async (t) => {
  const [a] = sharedQuotas(t, { mostInFlight: 6, holdMs: 500 })
  assert.ok(a)
  await a.reserve('first', false)
  await a.heard('first', { hour: { limit: 100, remaining: 8 } }, false)
  const granted = async () => (await a.reserve(newId(), false))?.granted
  assert.deepEqual([await granted(), await granted(), await granted()], [true, true, false])
  await sleep(600)
  assert.equal(await granted(), true)
})

test('a 429 at one replica pauses all, and one call tries first afterwards', { skip }, async (t) => {
  const [a, b] = sharedQuotas(t)
  assert.ok(a && b)
  await reportFirst([a, b], { limit: 100, remaining: 80 })
  assert.equal((await a.reserve('x', false))?.granted, true)
  assert.equal((await a.heard('x', { hour: { limit: 100, remaining: 79 } }, true))?.pausedMs, 1_000)
  const rested = await a.rest(30)
  assert.ok(rested && rested.pausedMs > 29_000 && rested.pausedMs <= 30_000, String(rested?.pausedMs))
  const refused = await b.reserve('y', false)
  assert.equal(refused?.granted, false)
  assert.ok(refused && refused.waitMs > 29_000 && refused.careful)
})

test('pauses without a Retry-After become longer', { skip, timeout: 30_000 }, async (t) => {
  const [a] = sharedQuotas(t)
  assert.ok(a)
  const refuse = async () => {
    const call = newId()
    while (!(await a.reserve(call, false))?.granted) await sleep(20)
    await a.heard(call, { hour: { limit: 100, remaining: 80 } }, true)
    return Math.round(((await a.rest(undefined))?.pausedMs ?? 0) / 1_000)
  }
  assert.deepEqual([await refuse(), await refuse()], [1, 2])
})

test('of reports that overtake each other the lowest counts', { skip }, async (t) => {
  const [a, b] = sharedQuotas(t)
  assert.ok(a && b)
  for (const [n, sharedQuota] of [a, b].entries()) {
    await sharedQuota.reserve(`first ${n}`, false)
    await sharedQuota.heard(`first ${n}`, { hour: { limit: 100, remaining: 50 - n } }, false)
  }
  for (const name of ['x', 'y', 'z']) await a.reserve(name, false)
  // z, which was reserved last, arrived first
  assert.equal((await a.heard('y', { hour: { limit: 100, remaining: 46 } }, false))?.hour?.remaining, 44)
  assert.equal((await a.heard('z', { hour: { limit: 100, remaining: 48 } }, false))?.hour?.remaining, 45)
  assert.equal((await a.heard('x', { hour: { limit: 100, remaining: 47 } }, false))?.hour?.remaining, 46)
})

/** two replicas: a reservation of the first arrived, but neither its answer nor its release did; `back`: Redis is back */
async function loseAnswer(t: TestContext) {
  const installation = randomBytes(6).toString('hex')
  const [redis, other] = [plainRedis(t, installation), plainRedis(t, installation)]
  let [isDeaf, mostSaid, back] = [true, 1, () => {}]
  const deaf: typeof redis = {
    ...redis,
    whenBack: (act) => void (back = act),
    run: async (...given) => {
      if (!isDeaf) return redis.run(...given)
      if (mostSaid-- > 0) await redis.run(...given)
      return undefined
    },
  }
  const [a, b] = [deaf, other].map((one) =>
    createSharedQuotas({ redis: one, holdMs: 60_000, mostInFlight: () => 1 })('key'),
  ) as [TestQuota, TestQuota]
  const lost = newId()
  assert.equal(await a.reserve(lost, false), undefined)
  await a.release(lost)
  assert.equal((await b.reserve(newId(), false))?.granted, false, 'it may be under way')
  isDeaf = false
  return { a, b, back }
}

test('a reservation whose answer was lost ends when its replica asks again', { skip }, async (t) => {
  const { a, b } = await loseAnswer(t)
  await a.read()
  await until(async () => (await b.reserve(newId(), false))?.granted === true, 1_000)
})

test('a reservation whose answer was lost ends when Redis is back, without a caller', { skip }, async (t) => {
  const { b, back } = await loseAnswer(t)
  back()
  await until(async () => (await b.reserve(newId(), false))?.granted === true, 1_000)
})

test('a replica that is killed during the trial call delays the others by two seconds', { skip }, async (t) => {
  const [a, b] = sharedQuotas(t, { holdMs: 60_000, mostInFlight: 1 })
  assert.equal((await a?.reserve(newId(), false))?.granted, true)
  assert.equal((await b?.reserve(newId(), false))?.granted, false)
  const from = performance.now()
  await until(async () => (await b?.reserve(newId(), false))?.granted === true)
  assert.ok(performance.now() - from > 1_000)
})

test('Redis holds counts under hashes, and they expire', { skip }, async (t) => {
  const redis = plainRedis(t)
  const sharedQuota = createSharedQuotas({ redis, holdMs: 1_000, mostInFlight: () => 6 })('issuer SECRETKEY')
  await sharedQuota.reserve('x', false)
  await sharedQuota.exchangeUsage(new Map([['hash', 1]]))
  const names = await redis.client.keys(`${redis.name('quota')}:*`)
  assert.equal(names.length, 2)
  for (const name of names) {
    assert.ok(!name.includes('KEY'))
    const ms = await redis.client.pttl(name)
    assert.ok(ms > 0 && ms <= 3_700_000, String(ms))
    assert.ok(!String(await redis.client.getBuffer(name)).includes('SECRET'))
  }
})
