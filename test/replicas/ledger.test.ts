import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLedgers } from '../../src/replicas/ledger.ts'
import { patientRedis } from '../ground/patient-redis.ts'
import { noRedis } from '../ground/redis.ts'
import { until } from '../ground/until.ts'
import { type Ledger, ledgers, newId } from './ledgers.ts'

const skip = noRedis

test('a replica that dies gives nothing back as long as its calls may still arrive', { skip }, async (t) => {
  const [a, b] = ledgers(t, { holdMs: 600 })
  assert.ok(a && b)
  assert.equal((await a.reserve('first', false))?.granted, true)
  assert.equal((await a.heard('first', { hour: { limit: 10, remaining: 3 } }, false))?.hour?.remaining, 3)
  for (const name of ['x', 'y']) assert.equal((await a.reserve(name, false))?.granted, true)
  assert.deepEqual((await b.look())?.hour, { limit: 10, remaining: 1 })
  await sleep(700)
  assert.deepEqual((await b.look())?.hour, { limit: 10, remaining: 1 }, 'what may have been counted stays counted')
  assert.equal((await b.reserve('z', false))?.granted, true)
  assert.equal((await b.reserve('late', false))?.granted, false)
  assert.equal((await b.heard('z', { hour: { limit: 10, remaining: 2 } }, false))?.hour?.remaining, 2)
})

test('what is not used is given back, and who was not answered is missed for a while', { skip }, async (t) => {
  const [a, b] = ledgers(t)
  assert.ok(a && b)
  await a.reserve('first', false)
  await a.heard('first', { hour: { limit: 10, remaining: 3 } }, false)
  await a.reserve('x', false)
  await a.release('x')
  assert.equal((await b.look())?.hour?.remaining, 3)
  await b.reserve('y', false)
  await b.ended('y')
  assert.equal((await a.look())?.hour?.remaining, 2)
})

test('before the platform has spoken one call over all replicas finds out', { skip }, async (t) => {
  const [a, b] = ledgers(t)
  assert.ok(a && b)
  const first = await a.reserve('first', false)
  assert.deepEqual([first?.granted, first?.careful, first?.hour], [true, true, undefined])
  assert.equal((await b.reserve('second', false))?.granted, false)
  const trial = await b.reserve('trial', true)
  assert.equal(trial?.granted, true, 'the operator finds out for himself')
  await b.release('trial')
  await a.heard('first', {}, false)
  // b has come since, and may have calls in flight that nobody knows of
  assert.equal((await a.reserve('second', false))?.granted, true)
  assert.equal((await a.reserve('third', false))?.granted, false)
  await a.heard('second', {}, false)
  for (const name of ['1', '2', '3']) {
    const standing = await a.reserve(name, false)
    assert.deepEqual([standing?.granted, standing?.hour], [true, undefined], 'a platform that says nothing')
  }
})

test('while calls may be in flight that nobody has reserved, as many are left to them', { skip }, async (t) => {
  const [a] = ledgers(t, { mostInFlight: 6, holdMs: 500 })
  assert.ok(a)
  await a.reserve('first', false)
  await a.heard('first', { hour: { limit: 100, remaining: 8 } }, false)
  const granted = async () => (await a.reserve(newId(), false))?.granted
  assert.deepEqual([await granted(), await granted(), await granted()], [true, true, false])
  await sleep(600)
  assert.equal(await granted(), true)
})

test('a 429 that one replica hears stops all, and one call finds out afterwards', { skip }, async (t) => {
  const [a, b] = ledgers(t)
  assert.ok(a && b)
  for (const [n, ledger] of [a, b].entries()) {
    await ledger.reserve(`first ${n}`, false)
    await ledger.heard(`first ${n}`, { hour: { limit: 100, remaining: 80 } }, false)
  }
  assert.equal((await a.reserve('x', false))?.granted, true)
  assert.equal((await a.heard('x', { hour: { limit: 100, remaining: 79 } }, true))?.pausedMs, 1_000)
  const rested = await a.rest(30)
  assert.ok(rested && rested.pausedMs > 29_000 && rested.pausedMs <= 30_000, String(rested?.pausedMs))
  const refused = await b.reserve('y', false)
  assert.equal(refused?.granted, false)
  assert.ok(refused && refused.waitMs > 29_000 && refused.careful)
})

test('rests that are given no time become longer', { skip, timeout: 30_000 }, async (t) => {
  const [a] = ledgers(t)
  assert.ok(a)
  const refuse = async () => {
    const call = newId()
    while (!(await a.reserve(call, false))?.granted) await sleep(20)
    await a.heard(call, { hour: { limit: 100, remaining: 80 } }, true)
    return Math.round(((await a.rest(undefined))?.pausedMs ?? 0) / 1_000)
  }
  assert.deepEqual([await refuse(), await refuse()], [1, 2])
})

test('of words that overtake each other the one that leaves least holds', { skip }, async (t) => {
  const [a, b] = ledgers(t)
  assert.ok(a && b)
  for (const [n, ledger] of [a, b].entries()) {
    await ledger.reserve(`first ${n}`, false)
    await ledger.heard(`first ${n}`, { hour: { limit: 100, remaining: 50 - n } }, false)
  }
  for (const name of ['x', 'y', 'z']) await a.reserve(name, false)
  // z, which was reserved last, arrived first
  assert.equal((await a.heard('y', { hour: { limit: 100, remaining: 46 } }, false))?.hour?.remaining, 44)
  assert.equal((await a.heard('z', { hour: { limit: 100, remaining: 48 } }, false))?.hour?.remaining, 45)
  assert.equal((await a.heard('x', { hour: { limit: 100, remaining: 47 } }, false))?.hour?.remaining, 46)
})

test('a reservation whose answer was lost holds nobody back for long', { skip }, async (t) => {
  const installation = randomBytes(6).toString('hex')
  const [redis, other] = [patientRedis(t, installation), patientRedis(t, installation)]
  let isDeaf = false
  // what is said arrives, and the answer does not; then nothing can be said
  let mostSaid = 0
  const deaf = {
    ...redis,
    run: async (...given: Parameters<typeof redis.run>) => {
      if (!isDeaf) return redis.run(...given)
      if (mostSaid-- > 0) await redis.run(...given)
      return undefined
    },
  }
  const holdMs = 60_000
  const [a, b] = [deaf, other].map((one) => createLedgers({ redis: one, holdMs, mostInFlight: () => 1 })('key')) as [
    Ledger,
    Ledger,
  ]
  ;[isDeaf, mostSaid] = [true, 1]
  const lost = newId()
  assert.equal(await a.reserve(lost, false), undefined)
  void a.release(lost)
  await sleep(100)
  assert.equal((await b.reserve(newId(), false))?.granted, false, 'it may be under way')
  isDeaf = false
  // whoever waits looks
  await a.look()
  await until(async () => (await b.reserve(newId(), false))?.granted === true)
})

test(
  'a replica that is gone with the call that was to find out keeps the others for two seconds',
  { skip },
  async (t) => {
    const [a, b] = ledgers(t, { holdMs: 60_000, mostInFlight: 1 })
    assert.equal((await a?.reserve(newId(), false))?.granted, true)
    assert.equal((await b?.reserve(newId(), false))?.granted, false)
    const from = performance.now()
    await until(async () => (await b?.reserve(newId(), false))?.granted === true)
    assert.ok(performance.now() - from > 1_000)
  },
)

test('what is put into Redis is counts below hashes, and goes by itself', { skip }, async (t) => {
  const redis = patientRedis(t)
  const ledger = createLedgers({ redis, holdMs: 1_000, mostInFlight: () => 6 })('issuer SECRETKEY')
  await ledger.reserve('x', false)
  await ledger.uses(new Map([['hash', 1]]))
  const names = await redis.client.keys(`${redis.name('quota')}:*`)
  assert.equal(names.length, 2)
  for (const name of names) {
    assert.ok(!name.includes('KEY'))
    const ms = await redis.client.pttl(name)
    assert.ok(ms > 0 && ms <= 3_700_000, String(ms))
    assert.ok(!String(await redis.client.getBuffer(name)).includes('SECRET'))
  }
})
