import assert from 'node:assert/strict'
import test from 'node:test'
import { answered, called, chance, holdHistory, sum } from './history-scene.ts'

test('requests are counted by the minute in six outcomes, without those for open pages', () => {
  const { history, tell } = holdHistory()
  tell(answered(), answered({ status: 304 }), answered({ status: 404, code: 'resource_not_found' }))
  tell(answered({ status: 401, code: 'key_invalid', operation: 'unknown' }))
  tell(answered({ status: 429, code: 'key_rate_limited' }), answered({ status: 429, code: 'upstream_rate_limited' }))
  tell(answered({ status: 502, code: 'upstream_failed' }), answered({ status: 503, code: 'upstream_unavailable' }))
  tell(answered({ status: 503, code: 'too_busy' }), answered({ status: 500, code: 'internal_error' }))
  tell(answered({ status: 499 }), answered({ operation: '/healthz' }), answered({ operation: '/docs' }))
  const { requests } = history.service(history.minute())
  const ends = Object.entries(requests).map(([name, counts]) => [name, counts.at(-1), sum(counts)])
  assert.deepEqual(ends, [
    ['ok', 2, 2],
    ['clientError', 2, 2],
    ['limited', 2, 2],
    ['upstream', 2, 2],
    ['failed', 2, 2],
    ['left', 1, 1],
  ])
})

test('the most requested operations are listed, without names made up by callers', () => {
  const { history, tell } = holdHistory()
  for (let i = 0; i < 5; i++) tell(answered({ operation: 'whoami', durationMs: 2 }))
  for (let i = 0; i < 9; i++) tell(answered({ durationMs: 100 }))
  tell(answered({ status: 502, code: 'upstream_failed', durationMs: 100 }), answered({ status: 404, code: 'x' }))
  for (let i = 0; i < 99; i++) tell(answered({ operation: `made-up-${i}` }), answered({ operation: 'unknown' }))
  assert.deepEqual(history.service(history.minute()).operations, [
    { operation: 'listApps', requests: 11, errors: 1, p95: 100 },
    { operation: 'whoami', requests: 5, errors: 0, p95: 2.1 },
  ])
})

test('p50, p95 and p99 of a minute are exact to 10 %, from a millisecond to a minute', () => {
  const next = chance(11)
  for (const scale of [3, 40, 900, 60_000]) {
    const { history, tell } = holdHistory()
    const all = Array.from({ length: 2_000 }, () => 1 + (next(1_000) / 1_000) ** 3 * scale)
    for (const durationMs of all) tell(answered({ durationMs }), called({ durationMs }))
    const sorted = all.toSorted((a, b) => a - b)
    const { latencyMs, platform } = history.service(history.minute())
    for (const [share, found] of [
      [0.5, latencyMs.p50],
      [0.95, latencyMs.p95],
      [0.99, latencyMs.p99],
      [0.5, platform.p50],
      [0.95, platform.p95],
    ] as const) {
      const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0
      const told = found.at(-1) ?? 0
      assert.ok(Math.abs(told - exact) <= exact / 10, `${told} instead of ${exact}`)
      assert.deepEqual(new Set(found.slice(0, -1)), new Set([null]), 'a minute without requests has no value')
    }
  }
})

test('requests of callers who left and requests rejected without a key are not in the latency', () => {
  const { history, tell } = holdHistory()
  tell(answered({ durationMs: 30_000, status: 499 }), answered({ operation: 'unknown', durationMs: 0, status: 401 }))
  const { latencyMs } = history.service(history.minute())
  assert.equal(latencyMs.p50.at(-1), null)
})
