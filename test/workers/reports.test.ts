import assert from 'node:assert/strict'
import test from 'node:test'
import type { LineState } from '../../src/engine/port.ts'
import { createReporter, createReports, type Report } from '../../src/workers/reports.ts'
import { called, chance, holdHistory } from '../history/noted.ts'

const stateOf = (running: number): LineState => ({
  ...{ breaker: 'closed', retryAfterSec: null, pausedSec: 0, running, waiting: 0 },
  ...{ keyRejected: false, lastAnswerAt: null, lastFailure: null },
})

/** a worker and the primary that asks it; what goes between them goes as JSON does */
function between() {
  const running = new Map<string, number>()
  const [mine, theirs] = [holdHistory(), holdHistory()]
  const report = createReporter({
    opened: () => [...running].map(([id, count]) => ({ id, state: () => stateOf(count) })),
    history: mine.history,
  })
  const reports = createReports()
  const ask = async (): Promise<Report> => JSON.parse(JSON.stringify(await report(reports.numberOf(1))))
  return {
    ...{ running, mine, theirs, reports, report, ask },
    async hear() {
      const one = await ask()
      reports.hear(1, one)
      theirs.history.give(one.tally)
      return one
    },
    calls: (id: string) =>
      theirs.history.hourOf(id, theirs.history.minute())?.sum(theirs.history.minute(), 'calls') ?? 0,
    shown: () => Object.fromEntries([...running.keys(), 'gone'].map((id) => [id, reports.statesOf(id)])),
  }
}

test('what was told is not told again: lines that changed, lines that are gone, and counts since the last time', async () => {
  const { running, mine, hear, calls, reports } = between()
  for (const id of ['a', 'b', 'c']) running.set(id, 0)
  mine.tell(called({ connection: 'a' }))
  const first = await hear()
  assert.deepEqual([first.whole, first.lines.length, first.more], [true, 3, false])
  running.set('b', 2)
  running.delete('c')
  mine.tell(called({ connection: 'a' }), called({ connection: 'b' }))
  const second = await hear()
  assert.deepEqual([second.whole, second.gone], [false, ['c']])
  assert.deepEqual(second.lines, [['b', stateOf(2)]])
  assert.deepEqual([calls('a'), calls('b')], [2, 1])
  assert.deepEqual(reports.statesOf('c'), [])
  const third = await hear()
  assert.deepEqual([third.lines, third.gone, third.tally], [[], [], { connections: [], service: [] }])
})

test('however many reports are lost on the way, all is told in the end, and counted once', async () => {
  const { running, mine, ask, hear, calls, reports } = between()
  const next = chance(5)
  const told = new Map<string, number>()
  for (let step = 0; step < 400; step++) {
    const id = `c${next(20)}`
    mine.tell(called({ connection: id }))
    told.set(id, (told.get(id) ?? 0) + 1)
    if (next(9) === 0) running.delete(id)
    else running.set(id, step)
    if (next(3) === 0) await ask()
    if (next(3) === 0) await hear()
  }
  await hear()
  for (const [id, count] of told) {
    assert.equal(calls(id), count, id)
    assert.deepEqual(reports.statesOf(id), running.has(id) ? [stateOf(running.get(id) ?? 0)] : [], id)
  }
})

test('an answer that was not waited for and comes behind the next question takes nothing with it', async () => {
  const { mine, report, reports, theirs, calls } = between()
  mine.tell(called({ connection: 'a' }))
  const [late, good] = [report(0), report(0)]
  await late
  const one = await good
  reports.hear(1, one)
  theirs.history.give(one.tally)
  assert.equal(calls('a'), 1)
})

test('thousands of lines and connections are told in pieces of 500', async () => {
  const { running, mine, hear, calls, reports } = between()
  const ids = Array.from({ length: 1_800 }, (_, i) => `c${i}`)
  for (const id of ids) {
    running.set(id, 1)
    mine.tell(called({ connection: id }))
  }
  let pieces = 0
  for (let more = true; more; pieces++) {
    const one = await hear()
    assert.ok(one.lines.length <= 500 && one.tally.connections.length <= 500)
    more = one.more
  }
  assert.equal(pieces, 4)
  assert.ok(ids.every((id) => calls(id) === 1 && reports.statesOf(id).length === 1))
})

test('nothing is believed of a worker that has ended, and its successor is heard from the beginning', async () => {
  const { running, hear, reports } = between()
  running.set('a', 1)
  await hear()
  assert.equal(reports.statesOf('a').length, 1)
  reports.ended(1)
  assert.deepEqual([reports.statesOf('a'), reports.numberOf(1)], [[], 0])
  const again = await hear()
  assert.deepEqual([again.whole, again.lines.length], [true, 1])
})
