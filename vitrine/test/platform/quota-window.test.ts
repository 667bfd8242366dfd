import assert from 'node:assert/strict'
import test from 'node:test'
import { LocalWindow } from '../../src/platform/schedule/quota-window.ts'
import { createClock } from './read-context.ts'

const begin = () => {
  const clock = createClock()
  const window = new LocalWindow(3_600_000, clock.steady)
  /** the platform's word, while so many other calls were under way */
  const hear = (remaining: number, running: number, begunAt: number) =>
    window.tell({ limit: 100, remaining }, { running, begunAt })
  return { clock, window, hear }
}

const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
]

test('an outdated quota header can lower the quota left, and never raises it', () => {
  const { window, clock, hear } = begin()
  const [first, second] = [clock.steady(), clock.steady() + 10]
  clock.pass(20)
  hear(5, 0, second)
  hear(50, 0, first)
  assert.equal(window.remaining(), 5)
  hear(2, 0, first)
  assert.equal(window.remaining(), 2)
  clock.pass(10)
  hear(60, 0, clock.steady())
  assert.equal(window.remaining(), 60)
})

test('three simultaneous calls, counted and answered in any order, are each counted exactly once', () => {
  for (const counted of orders)
    for (const heard of orders) {
      const { window, clock, hear } = begin()
      hear(43, 0, clock.steady())
      clock.pass(10)
      const begunAt = clock.steady()
      for (let i = 0; i < 3; i++) window.spend()
      clock.pass(10)
      for (const [before, call] of heard.entries()) {
        hear(42 - counted.indexOf(call), 2 - before, begunAt + call)
        const where = `counted ${counted.join()}, heard ${heard.join()}: ${window.remaining()} after ${call}`
        assert.ok(window.remaining() <= 40, where)
      }
      assert.equal(window.remaining(), 40, `counted ${counted.join()}, heard ${heard.join()}`)
    }
})
