import assert from 'node:assert/strict'
import test from 'node:test'
import { Breaker } from '../../src/platform/retry/breaker.ts'
import { Problem } from '../../src/problems.ts'
import { createClock } from './read-context.ts'

function begin() {
  const { steady, pass } = createClock()
  const states: string[] = []
  const breaker = new Breaker(steady, (state) => states.push(state))
  const tell = (outcome: 'alive' | 'down', times = 1) => {
    for (let i = 0; i < times; i++) breaker.tell(outcome)
  }
  /** the seconds of the Retry-After, or whether the call is allowed */
  const admit = (): number | 'probe' | 'through' => {
    try {
      return breaker.admit() ? 'probe' : 'through'
    } catch (error) {
      assert.ok(error instanceof Problem && error.code === 'upstream_unavailable')
      return error.extras.retryAfterSec ?? Number.NaN
    }
  }
  return { breaker, tell, admit, pass, states }
}

test('five calls in a row without an answer open the breaker, and an answer in between prevents it', () => {
  const { tell, admit, states } = begin()
  tell('down', 4)
  tell('alive')
  tell('down', 4)
  assert.equal(admit(), 'through')
  tell('down')
  assert.equal(admit(), 1)
  assert.deepEqual(states, ['open'])
})

test('an answer seen by another process ends a run of failures once, and later failures count anew', () => {
  const { steady, pass } = createClock()
  const told: string[] = []
  let answeredAt = Number.NEGATIVE_INFINITY
  const others = { answeredAt: () => answeredAt, tell: (outcome: string) => void told.push(outcome) }
  const states: string[] = []
  const breaker = new Breaker(steady, (state) => states.push(state), others)
  const fail = (times: number) => {
    for (let n = 0; n < times; n++) {
      pass(1)
      breaker.tell('down')
    }
  }
  const answer = () => {
    pass(1)
    answeredAt = steady()
  }
  fail(4)
  answer()
  fail(4)
  assert.deepEqual([states, told], [[], ['down', 'down']])
  answer()
  fail(1)
  assert.deepEqual(states, ['open'])
  breaker.tell('alive')
  assert.deepEqual(
    [states, told],
    [
      ['open', 'closed'],
      ['down', 'down', 'alive'],
    ],
  )
  // an answer before the failures changes nothing, and one between them restarts the count
  answer()
  fail(4)
  answer()
  fail(4)
  assert.deepEqual(states, ['open', 'closed'])
})

test('failures in half of twenty calls within ten seconds open the breaker, in any order', () => {
  const { tell, admit, pass } = begin()
  for (let i = 0; i < 9; i++) {
    tell('down')
    tell('alive')
    pass(300)
  }
  assert.equal(admit(), 'through')
  tell('down')
  tell('down')
  assert.equal(admit(), 1)
  const late = begin()
  for (let i = 0; i < 40; i++) {
    late.tell('down')
    late.tell('alive')
    late.pass(1_200)
  }
  assert.equal(late.admit(), 'through', 'fewer than twenty within ten seconds say little')
})

test('an open breaker allows one probe at a time, after 1, 2, 4, 5 and 5 seconds', () => {
  const { tell, admit, pass } = begin()
  tell('down', 5)
  for (const seconds of [1, 2, 4, 5, 5]) {
    assert.equal(admit(), seconds)
    pass(seconds * 1_000 - 1)
    assert.equal(admit(), 1)
    pass(1)
    assert.equal(admit(), 'probe')
    assert.notEqual(admit(), 'probe', 'no other call, while the probe is under way')
    tell('down')
  }
})

test('a hanging probe does not prevent the next one', () => {
  const { tell, admit, pass } = begin()
  tell('down', 5)
  pass(1_000)
  assert.equal(admit(), 'probe')
  pass(2_000)
  assert.equal(admit(), 'probe')
})

test('an answer closes the breaker and resets its count of probes', () => {
  const { tell, admit, pass, states, breaker } = begin()
  tell('down', 5)
  pass(1_000)
  admit()
  tell('down')
  pass(2_000)
  admit()
  assert.deepEqual(breaker.state(), { breaker: 'half-open', retryAfterSec: 4 })
  tell('alive')
  assert.equal(admit(), 'through')
  assert.deepEqual(breaker.state(), { breaker: 'closed', retryAfterSec: null })
  assert.deepEqual(states, ['open', 'half-open', 'open', 'half-open', 'closed'])
  tell('down', 5)
  assert.equal(admit(), 1)
})
