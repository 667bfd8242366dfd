import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { noRedis } from '../../../base/test/redis.ts'
import { sharedQuotas } from './shared-quotas.ts'

const skip = noRedis

test('calls are given back when they leave the hour, and no others', { skip, timeout: 30_000 }, async (t) => {
  const hourMs = 3_000
  const word = (remaining: number) => ({ hour: { limit: 10, remaining } })

  async function slowly() {
    const [a] = sharedQuotas(t, { hourMs })
    assert.ok(a)
    await a.reserve('slow', false)
    await sleep(800)
    await a.heard('slow', word(5), false)
    await sleep(2_300)
    assert.equal((await a.read())?.hour?.remaining, 5, 'a call counts from when it was answered')
  }

  async function perhaps() {
    const [a] = sharedQuotas(t, { hourMs, holdMs: 200 })
    assert.ok(a)
    await a.reserve('known', false)
    await a.heard('known', word(3), false)
    await sleep(100)
    await a.reserve('perhaps', false)
    await sleep(300)
    await a.release('nothing')
    await sleep(700)
    await a.reserve('later', false)
    await a.heard('later', word(2), false)
    await sleep(2_400)
    assert.equal((await a.read())?.hour?.remaining, 3, 'of two that are old, one may never have arrived')
  }

  async function unheard() {
    const [a] = sharedQuotas(t, { holdMs: 500 })
    assert.ok(a)
    await a.reserve('first', false)
    await a.heard('first', word(8), false)
    await a.reserve('lost', false)
    await sleep(400)
    await a.reserve('last', false)
    await sleep(300)
    const standing = await a.heard('last', word(5), false)
    assert.equal(standing?.hour?.remaining, 4, 'the one that was lost meanwhile may not be counted in it')
  }

  await Promise.all([slowly(), perhaps(), unheard()])
})

test('a wait ends no earlier than what it waits for, though no report is recent', { skip }, async (t) => {
  const [a, b] = sharedQuotas(t, { hourMs: 30_000, mostInFlight: 3, holdMs: 5_000 })
  assert.ok(a && b)
  await a.reserve('first', false)
  await a.heard('first', { hour: { limit: 60, remaining: 59 }, minute: { limit: 3, remaining: 2 } }, false)
  await sleep(600)
  const standing = await b.reserve('second', false)
  assert.equal(standing?.granted, false)
  assert.ok(standing.waitMs > 4_000, `a new replica is asked to come again after ${standing.waitMs} ms`)
})

test('a call that was never heard of counts from its end, however late that is noticed', { skip }, async (t) => {
  const [a] = sharedQuotas(t, { hourMs: 60_000, holdMs: 100 })
  assert.ok(a)
  await a.reserve('known', false)
  await a.heard('known', { hour: { limit: 60, remaining: 59 }, minute: { limit: 1, remaining: 1 } }, false)
  await a.reserve('lost', false)
  await sleep(1_300)
  assert.equal((await a.reserve('next', false))?.granted, true, 'its minute is over')
})
