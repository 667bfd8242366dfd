// One examination at a time, with a simulated doctor and without an endpoint.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createExaminations } from '../../src/management/examination.ts'
import { createScripted } from './doctor-scene.ts'

test('no check runs before its line is in the audit log', async () => {
  const { doctor, rounds } = createScripted()
  const examinations = createExaminations(doctor, Date.now)
  const first = () => Promise.reject(new Error('the store is gone'))
  await assert.rejects(examinations.start({ ids: [], by: 'x', first }), /the store is gone/)
  assert.deepEqual([rounds.length, examinations.latest().state], [0, 'never'])
  await examinations.start({ ids: [], by: 'x', first: async () => {} })
  await assert.rejects(examinations.stop(first), /the store is gone/)
  assert.deepEqual([rounds.length, examinations.latest().state], [1, 'running'])
  await examinations.close()
})

test('a stop ends the examination that ran when it was requested, and none that started later', async () => {
  const { doctor, rounds } = createScripted()
  const examinations = createExaminations(doctor, Date.now)
  const wish = { ids: [], by: 'x', first: async () => {} }
  await examinations.start(wish)
  await examinations.stop(async () => {
    rounds[0]?.done()
    while (examinations.latest().state === 'running') await Promise.resolve()
    await examinations.start(wish)
  })
  assert.deepEqual([rounds.length, examinations.latest().state], [2, 'running'])
  assert.equal(rounds[1]?.round.signal.aborted, false)
  await examinations.close()
})

test('of very many findings the problems are kept, and the successes are counted', async () => {
  const { doctor, rounds } = createScripted()
  const examinations = createExaminations(doctor, Date.now)
  await examinations.start({ ids: [], by: 'x', first: async () => {} })
  const tell = (state: 'ok' | 'fail' | 'skip', connection?: string) =>
    rounds[0]?.round.tell({ id: 'token', title: 'Token', state, says: 'So it is.', connection })
  tell('ok')
  for (let i = 0; i < 1_000; i++) tell('ok', `c${i}`)
  assert.deepEqual([examinations.latest().findings.length, examinations.latest().leftOut], [1_001, 0])
  tell('fail', 'ill')
  for (let i = 0; i < 99_000; i++) tell(i % 2 === 0 ? 'ok' : 'skip', `d${i}`)
  const { counts, leftOut, findings } = examinations.latest()
  assert.deepEqual(counts, { ok: 50_501, warn: 0, fail: 1, skip: 49_500 })
  assert.deepEqual(
    findings.map(({ connection, state }) => [connection, state]),
    [
      [null, 'ok'],
      ['ill', 'fail'],
    ],
  )
  assert.equal(leftOut, 100_000)
  for (let i = 0; i < 20_000; i++) tell('fail', `e${i}`)
  const more = examinations.latest()
  assert.deepEqual([more.counts.fail, more.findings.length, more.leftOut], [20_001, 10_000, 110_002])
  await examinations.close()
})
