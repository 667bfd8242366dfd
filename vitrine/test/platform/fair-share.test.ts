import assert from 'node:assert/strict'
import test from 'node:test'
import { LocalShare } from '../../src/platform/schedule/quota.ts'

const limit = 3_600

function startShares(count: number) {
  let nowMs = 1_000
  const shares = new LocalShare(() => nowMs)
  const expect = (name: string, from: number, to: number) => {
    for (let n = from; n < to; n++) shares.expect(`${name} ${n}`)
  }
  expect('early', 0, count)
  for (let n = 0; n < 60; n++) shares.spend('early 0')
  const of = () => shares.of('early 0', limit)
  return { expect, of, before: of(), pass: (ms: number) => void (nowMs += ms) }
}

test('with few active keys a new one changes the shares at once', () => {
  const { expect, of } = startShares(10)
  expect('late', 0, 2)
  const { active, kept } = of()
  // 12 shares of 300, the first of which has 240 left
  assert.deepEqual([active, kept], [12, 11 * 300])
})

test('with a hundred active keys a new one changes the shares 25 ms later, and delays no call until then', () => {
  const { expect, of, before, pass } = startShares(100)
  expect('late', 0, 50)
  const meanwhile = of()
  assert.deepEqual([meanwhile.active, meanwhile.kept], [150, before.kept])
  pass(26)
  expect('later', 0, 1)
  const { active, kept } = of()
  assert.equal(active, 151)
  assert.ok(Math.abs(kept - (150 * limit) / 151) < 1e-6)
})
