import assert from 'node:assert/strict'
import test from 'node:test'
import { createQuota } from '../../src/platform/quota.ts'
import { createClock } from './errands.ts'

const begin = () => {
  const clock = createClock()
  return { clock, quota: createQuota(clock.steady) }
}
const told = (limit: number, remaining: number) => ({ hour: { limit, remaining } })
/** the platform's word, while so many other calls were under way */
const during = (running: number, begunAt = 0) => ({ running, begunAt })
const perMinute = (limit: number, remaining: number) => ({ minute: { limit, remaining } })

/** asks as long as it may, and says how often that was */
function askAll(quota: ReturnType<typeof createQuota>, who: string, most = 10_000, patient = false): number {
  for (let count = 0; count < most; count++) {
    if (quota.waitMs(who, patient) > 0) return count
    quota.spend(who)
  }
  return most
}

test('nothing is held back before the platform has said what it grants', () => {
  const { quota } = begin()
  assert.equal(askAll(quota, 'a'), 10_000)
  assert.deepEqual(quota.state(), { pausedSec: 0 })
})

test('a lone facade key asks for no more than is left, less the reserve where it has used up half', () => {
  const { quota } = begin()
  quota.heard(told(100, 100), during(0))
  assert.equal(askAll(quota, 'a'), 90)
  assert.deepEqual(quota.state().hour, { limit: 100, remaining: 10 })
  assert.equal(askAll(quota, 'b'), 10, 'a newcomer finds the reserve')
  assert.deepEqual(quota.state().hour, { limit: 100, remaining: 0 })
})

test('later pages of a walk leave the reserve to first answers', () => {
  const { quota } = begin()
  quota.heard(told(100, 12), during(0))
  assert.equal(askAll(quota, 'a', 10_000, true), 2)
  assert.equal(askAll(quota, 'a', 10_000, false), 10)
})

test('of two that are active, neither uses what is left of the other’s half', () => {
  const { quota } = begin()
  quota.heard(told(100, 100), during(0))
  quota.expect('modest')
  assert.equal(askAll(quota, 'greedy'), 50)
  assert.equal(askAll(quota, 'modest'), 50)
})

test('who has been silent for ten minutes holds nothing back', () => {
  const { quota, clock } = begin()
  quota.heard(told(100, 100), during(0))
  quota.expect('gone')
  clock.pass(600_001)
  assert.equal(askAll(quota, 'a'), 90)
})

test('the platform’s word corrects ours, with calls under way held against it', () => {
  const { quota } = begin()
  quota.heard(told(100, 60), during(0))
  for (let i = 0; i < 5; i++) quota.spend('a')
  assert.equal(quota.state().hour?.remaining, 55)
  quota.heard(told(100, 40), during(3))
  assert.equal(quota.state().hour?.remaining, 37)
})

test('our own calls come back when they are an hour old', () => {
  const { quota, clock } = begin()
  for (let i = 0; i < 20; i++) quota.spend('a')
  clock.pass(1_800_000)
  quota.heard(told(100, 5), during(0))
  assert.equal(quota.state().hour?.remaining, 5)
  clock.pass(1_900_000)
  assert.equal(quota.state().hour?.remaining, 25)
})

test('an empty window is tried once a minute, since others may have left something', () => {
  const { quota, clock } = begin()
  quota.heard(told(100, 0), during(0))
  assert.equal(quota.waitMs('a', false), 60_000)
  clock.pass(59_000)
  assert.equal(quota.waitMs('a', false), 1_000)
  clock.pass(1_000)
  assert.equal(askAll(quota, 'a'), 1)
  assert.equal(quota.waitMs('a', false), 60_000)
})

test('a minute’s window empties and fills again', () => {
  const { quota, clock } = begin()
  quota.heard(perMinute(10, 3), during(0))
  assert.equal(askAll(quota, 'a'), 3)
  const waitMs = quota.waitMs('a', false)
  assert.ok(waitMs > 0 && waitMs <= 61_000, String(waitMs))
  clock.pass(61_000)
  assert.equal(askAll(quota, 'a', 3), 3)
})

test('a 429 is a rest for as long as it says, and else for longer each time', () => {
  const { quota, clock } = begin()
  quota.refused(120, clock.steady())
  assert.equal(quota.waitMs('a', false), 120_000)
  assert.equal(quota.state().pausedSec, 120)
  clock.pass(120_000)
  assert.equal(quota.waitMs('a', false), 0)
  quota.welcome()
  const rests = [1, 2, 4, 8, 16, 32, 60, 60].map(() => {
    quota.refused(undefined, clock.steady())
    const waitMs = quota.waitMs('a', false)
    clock.pass(waitMs)
    return waitMs / 1_000
  })
  assert.deepEqual(rests, [1, 2, 4, 8, 16, 32, 60, 60])
  quota.welcome()
  quota.refused(undefined, clock.steady())
  assert.equal(quota.waitMs('a', false), 1_000)
})

test('what is kept of facade keys is bounded', () => {
  const { quota } = begin()
  quota.heard(told(1_000_000, 1_000_000), during(0))
  const startedAt = performance.now()
  for (let i = 0; i < 5_000; i++) askAll(quota, `key${i}`, 1)
  assert.ok(performance.now() - startedAt < 20_000)
})

test('calls that were under way when one was refused are no further strikes, and shorten no rest', () => {
  const { quota, clock } = begin()
  const begunAt = clock.steady()
  clock.pass(50)
  for (let i = 0; i < 6; i++) quota.refused(undefined, begunAt)
  assert.equal(quota.waitMs('a', false), 1_000)
  quota.refused(600, begunAt)
  quota.refused(1, begunAt)
  assert.equal(quota.waitMs('a', false), 600_000)
})

test('after a 429 one call finds out before all go on', () => {
  const { quota, clock } = begin()
  assert.equal(quota.isCareful(), false)
  quota.refused(1, clock.steady())
  assert.equal(quota.isCareful(), true)
  quota.welcome()
  assert.equal(quota.isCareful(), false)
})

test('a word that is an hour old holds nobody back', () => {
  const { quota, clock } = begin()
  quota.heard(told(3_600, 300), during(0))
  assert.ok(quota.waitMs('a', true) > 0)
  assert.ok(quota.waitMs('a', true) <= 60_000, 'and one that is a minute old is tried')
  clock.pass(60_001)
  assert.equal(quota.waitMs('a', true), 0)
  quota.heard(told(3_600, 300), during(0))
  clock.pass(3_600_000)
  assert.equal(quota.state().hour?.remaining, 3_600)
})

test('what the operator tries is counted, and takes nothing of anybody’s share', () => {
  const { quota } = begin()
  quota.heard(told(100, 60), during(0))
  for (let i = 0; i < 45; i++) quota.spend('a')
  quota.spend(undefined)
  assert.equal(quota.state().hour?.remaining, 14)
  assert.equal(quota.waitMs('a', false), 0)
})

test('a turn in which nobody was called is given back', () => {
  const { quota } = begin()
  quota.heard(told(100, 60), during(0))
  quota.spend('a')
  quota.takeBack('a')
  assert.equal(quota.state().hour?.remaining, 60)
})

test('a thousand facade keys that wait are looked through quickly', () => {
  const { quota } = begin()
  quota.heard(told(3_600, 300), during(0))
  for (let i = 0; i < 1_000; i++) quota.expect(`key${i}`)
  const startedAt = performance.now()
  for (let i = 0; i < 1_000; i++) quota.waitMs(`key${i}`, true)
  assert.ok(performance.now() - startedAt < 2_000)
})
