// The counters of an hour against a plain list of what was counted.
import assert from 'node:assert/strict'
import test from 'node:test'
import { minutesKept, Minutes } from '../../src/history/minutes.ts'
import { createChance } from '../secrets/random.ts'

const width = 3
const start = 1_000
const seed = 20_261_121

interface Noted {
  readonly minute: number
  readonly column: number
}

function createModel() {
  const noted: Noted[] = []
  const sum = (last: number, column: number, from: number) =>
    noted.filter((one) => one.column === column && one.minute <= last && one.minute > from).length
  return {
    add: (minute: number, column: number) => void noted.push({ minute, column }),
    at: (minute: number, column: number) => sum(minute, column, minute - 1),
    sum: (last: number, column: number) => sum(last, column, last - minutesKept),
  }
}

test('counts cover exactly the last hour, after jumps and hours without events', () => {
  const chance = createChance(seed)
  for (let round = 0; round < 200; round++) {
    const [counters, model] = [new Minutes(width), createModel()]
    let now = start
    for (let step = 0; step < 120; step++) {
      const kind = chance.below(20)
      if (kind < 6) now += chance.below(3)
      else if (kind === 6) now += chance.below(90)
      else {
        const column = chance.below(width)
        counters.add(now, column)
        model.add(now, column)
      }
      for (let column = 0; column < width; column++) {
        const where = `round ${round}, step ${step}, column ${column}`
        assert.equal(counters.sum(now, column), model.sum(now, column), where)
        const hour = Array.from({ length: minutesKept }, (_, i) => model.at(now - minutesKept + 1 + i, column))
        assert.deepEqual(counters.hour(now, column), hour, where)
        assert.equal(counters.at(now - 3, column), model.at(now - 3, column), where)
      }
    }
  }
})

test('a connection that was used briefly takes memory for a few minutes, not for an hour', () => {
  const bytesOf = (minutes: readonly number[]): number => {
    const before = process.memoryUsage().arrayBuffers
    const all = Array.from({ length: 1_000 }, () => new Minutes(7))
    for (const counters of all) for (const minute of minutes) counters.add(start + minute, 0)
    return (process.memoryUsage().arrayBuffers - before) / all.length
  }
  assert.ok(bytesOf([0, 1]) <= 4 * 7 * 4, `${bytesOf([0, 1])} bytes`)
  assert.ok(bytesOf([0, 1, 100, 200]) <= 4 * 7 * 4, `${bytesOf([0, 1, 100, 200])} bytes`)
})
