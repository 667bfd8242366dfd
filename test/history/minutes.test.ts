// The counters of an hour against a plain list of what was counted.
import assert from 'node:assert/strict'
import test from 'node:test'
import { kept, Minutes } from '../../src/history/minutes.ts'
import { createChance } from '../secrets/chance.ts'

const width = 3
const start = 1_000
const seed = 20_261_121

interface Noted {
  readonly minute: number
  readonly column: number
}

/** what is so late that its minute has left the hour is counted nowhere */
function createModel() {
  let [noted, latest]: [Noted[], number] = [[], 0]
  const sum = (last: number, column: number, from: number) =>
    noted.filter((one) => one.column === column && one.minute <= last && one.minute > from).length
  return {
    latest: () => latest,
    add(minute: number, column: number) {
      latest = Math.max(latest, minute)
      if (minute > latest - kept) noted.push({ minute, column })
      noted = noted.filter((one) => one.minute > latest - kept)
    },
    forget: () => void (noted = []),
    at: (minute: number, column: number) => sum(minute, column, minute - 1),
    sum: (last: number, column: number) => sum(last, column, last - kept),
  }
}

test('counts are those of the last hour, however they come: in jumps, late, with hours of silence, handed over', () => {
  const chance = createChance(seed)
  for (let round = 0; round < 200; round++) {
    let [counters, model] = [new Minutes(width), createModel()]
    let now = start
    for (let step = 0; step < 120; step++) {
      const kind = chance.below(20)
      if (kind < 6) now += chance.below(3)
      else if (kind === 6) now += chance.below(90)
      else if (kind === 7 && round % 2 === 1) {
        const heir = new Minutes(width)
        heir.give(counters.take())
        for (let column = 0; column < width; column++) assert.equal(counters.sum(now, column), 0)
        counters = heir
      } else {
        const minute = now - (chance.below(4) === 0 ? chance.below(70) : 0)
        const column = chance.below(width)
        counters.add(minute, column)
        model.add(minute, column)
      }
      for (let column = 0; column < width; column++) {
        const where = `round ${round}, step ${step}, column ${column}`
        assert.equal(counters.sum(now, column), model.sum(now, column), where)
        const hour = Array.from({ length: kept }, (_, i) => model.at(now - kept + 1 + i, column))
        assert.deepEqual(counters.hour(now, column), hour, where)
        assert.equal(counters.at(now - 3, column), model.at(now - 3, column), where)
      }
    }
  }
})

test('who is used for a moment holds a few minutes, and no hour of zeros', () => {
  const bytesOf = (minutes: readonly number[]): number => {
    const before = process.memoryUsage().arrayBuffers
    const all = Array.from({ length: 1_000 }, () => new Minutes(7))
    for (const counters of all) for (const minute of minutes) counters.add(start + minute, 0)
    return (process.memoryUsage().arrayBuffers - before) / all.length
  }
  assert.ok(bytesOf([0, 1]) <= 4 * 7 * 4, `${bytesOf([0, 1])} bytes`)
  assert.ok(bytesOf([0, 1, 100, 200]) <= 4 * 7 * 4, `${bytesOf([0, 1, 100, 200])} bytes`)
})
