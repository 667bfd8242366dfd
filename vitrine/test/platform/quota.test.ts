import assert from 'node:assert/strict'
import test from 'node:test'
import { Quota } from '../../src/platform/schedule/quota.ts'
import { createClock } from './read-context.ts'

const begin = () => {
  const clock = createClock()
  return { clock, quota: new Quota(clock.steady) }
}
const told = (limit: number, remaining: number) => ({ hour: { limit, remaining } })
/** the platform's word, while so many other calls were under way */
const during = (running: number, begunAt = 0) => ({ running, begunAt })
const perMinute = (limit: number, remaining: number) => ({ minute: { limit, remaining } })

/** asks as long as it may, and says how often that was */
function askAll(quota: Quota, who: string, most = 10_000, patient = false): number {
  for (let count = 0; count < most; count++) {
    if (quota.waitMs(who, patient) > 0) return count
    quota.spend(who)
  }
  return most
}

test('no call waits before the platform has reported its quota', () => {
  const { quota } = begin()
  assert.equal(askAll(quota, 'a'), 10_000)
  assert.deepEqual(quota.state(), { pausedSec: 0 })
})

test('a single facade key may use the whole quota, less the reserve once half is used', () => {
  const { quota } = begin()
  quota.heard(told(100, 100), during(0))
  assert.equal(askAll(quota, 'a'), 90)
  assert.deepEqual(quota.state().hour, { limit: 100, remaining: 10 })
  assert.equal(askAll(quota, 'b'), 10, 'a newcomer finds the reserve')
  assert.deepEqual(quota.state().hour, { limit: 100, remaining: 0 })
})

test('later pages leave the reserve to first answers', () => {
  const { quota } = begin()
  quota.heard(told(100, 12), during(0))
  assert.equal(askAll(quota, 'a', 10_000, true), 2)
  assert.equal(askAll(quota, 'a', 10_000, false), 10)
})

test('of two active keys, neither uses what is left of the other’s half', () => {
  const { quota } = begin()
  quota.heard(told(100, 100), during(0))
  quota.expect('modest')
  assert.equal(askAll(quota, 'greedy'), 50)
  assert.equal(askAll(quota, 'modest'), 50)
})

test('a key that was silent for ten minutes holds nothing back', () => {
  const { quota, clock } = begin()
  quota.heard(told(100, 100), during(0))
  quota.expect('gone')
  clock.pass(600_001)
  assert.equal(askAll(quota, 'a'), 90)
})

test('the platform’s count corrects ours, with calls in progress counted against it', () => {
  const { quota } = begin()
  quota.heard(told(100, 60), during(0))
  for (let i = 0; i < 5; i++) quota.spend('a')
  assert.equal(quota.state().hour?.remaining, 55)
  quota.heard(told(100, 40), during(3))
  assert.equal(quota.state().hour?.remaining, 37)
})

test('our own calls are returned to the quota when they are an hour old', () => {
  const { quota, clock } = begin()
  for (let i = 0; i < 20; i++) quota.spend('a')
  clock.pass(1_800_000)
  quota.heard(told(100, 5), during(0))
  assert.equal(quota.state().hour?.remaining, 5)
  clock.pass(1_900_000)
  assert.equal(quota.state().hour?.remaining, 25)
})

test('an empty window is tried once a minute, since other clients may have left something', () => {
  const { quota, clock } = begin()
  quota.heard(told(100, 0), during(0))
  assert.equal(quota.waitMs('a', false), 60_000)
  clock.pass(59_000)
  assert.equal(quota.waitMs('a', false), 1_000)
  clock.pass(1_000)
  assert.equal(askAll(quota, 'a'), 1)
  assert.equal(quota.waitMs('a', false), 60_000)
})

test('a window of a minute empties and fills again', () => {
  const { quota, clock } = begin()
  quota.heard(perMinute(10, 3), during(0))
  assert.equal(askAll(quota, 'a'), 3)
  const waitMs = quota.waitMs('a', false)
  assert.ok(waitMs > 0 && waitMs <= 61_000, String(waitMs))
  clock.pass(61_000)
  assert.equal(askAll(quota, 'a', 3), 3)
})

test('a 429 pauses calls for as long as it says, or else for longer each time', () => {
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

test('the state kept for facade keys is bounded', () => {
  const { quota } = begin()
  quota.heard(told(1_000_000, 1_000_000), during(0))
  const startedAt = performance.now()
  for (let i = 0; i < 5_000; i++) askAll(quota, `key${i}`, 1)
  assert.ok(performance.now() - startedAt < 20_000)
})

test('calls in progress at the time of a 429 count with it as one, and never shorten the pause', () => {
  const { quota, clock } = begin()
  const begunAt = clock.steady()
  clock.pass(50)
  for (let i = 0; i < 6; i++) quota.refused(undefined, begunAt)
  assert.equal(quota.waitMs('a', false), 1_000)
  quota.refused(600, begunAt)
  quota.refused(1, begunAt)
  assert.equal(quota.waitMs('a', false), 600_000)
})

test('after a 429 one call probes before the others continue', () => {
  const { quota, clock } = begin()
  assert.equal(quota.isCareful(), false)
  quota.refused(1, clock.steady())
  assert.equal(quota.isCareful(), true)
  quota.welcome()
  assert.equal(quota.isCareful(), false)
})

test('a quota report that is an hour old holds nothing back', () => {
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

test('calls of the operator are counted, and do not reduce the share of any key', () => {
  const { quota } = begin()
  quota.heard(told(100, 60), during(0))
  for (let i = 0; i < 45; i++) quota.spend('a')
  quota.spend(undefined)
  assert.equal(quota.state().hour?.remaining, 14)
  assert.equal(quota.waitMs('a', false), 0)
})

test('a turn without a platform call is given back', () => {
  const { quota } = begin()
  quota.heard(told(100, 60), during(0))
  quota.spend('a')
  quota.takeBack('a')
  assert.equal(quota.state().hour?.remaining, 60)
})

test('a thousand waiting facade keys are examined quickly', () => {
  const { quota } = begin()
  quota.heard(told(3_600, 300), during(0))
  for (let i = 0; i < 1_000; i++) quota.expect(`key${i}`)
  const startedAt = performance.now()
  for (let i = 0; i < 1_000; i++) quota.waitMs(`key${i}`, true)
  assert.ok(performance.now() - startedAt < 2_000)
})
