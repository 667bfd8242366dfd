import assert from 'node:assert/strict'
import test from 'node:test'
import type { ConnectionHour, History } from '../../src/history/history.ts'
import { answered, called, chance, holdHistory, minuteMs, noon, sum } from './history-scene.ts'

const hourOf = (history: History, id: string): ConnectionHour => {
  const hour = history.hourOf(id, history.minute())
  assert.ok(hour, `no history of ${id}`)
  return hour
}

const sixty = (...last: number[]): number[] => [...Array.from({ length: 60 - last.length }, () => 0), ...last]

test('calls, requests and drift of a connection are counted by the minute and by the hour', () => {
  const { history, tell } = holdHistory()
  tell(called(), called({ status: 500, code: 'upstream_failed' }), answered({ connection: 'acme' }))
  tell({ kind: 'shared', connection: 'acme' }, answered({ connection: 'acme', cache: 'hit' }))
  tell(answered({ connection: 'acme', cache: 'miss' }), answered({ connection: 'acme', cache: 'revalidated' }))
  tell({ kind: 'drift', connection: 'acme', type: 'apps', members: ['novel', 'odd'] })
  const hour = hourOf(history, 'acme')
  const last = history.minute()
  assert.deepEqual(hour.perMinute(last, 'calls'), sixty(2))
  assert.deepEqual(hour.perMinute(last, 'errors'), sixty(1))
  assert.equal(hour.sum(last, 'requests'), 4)
  assert.equal(hour.sum(last, 'shared'), 1)
  assert.equal(hour.sum(last, 'cacheHits'), 1)
  assert.equal(hour.sum(last, 'cacheMisses'), 2, 'the platform was asked, though the caller had the answer')
  assert.equal(hour.members(last), 2)
  assert.equal(history.hourOf('other', last), undefined)
})

test('aborted calls and 404 answers are not failures', () => {
  const { history, tell } = holdHistory()
  const codes = ['left', 'resource_not_found', 'platform_refused_value', 'cursor_expired']
  for (const code of codes) tell(called({ code }))
  assert.equal(hourOf(history, 'acme').sum(history.minute(), 'errors'), 0)
  const { ok, failed } = history.service(history.minute()).platform
  assert.deepEqual([ok.at(-1), failed.at(-1)], [3, 0], 'an aborted call is neither ok nor failed')
  for (const code of ['upstream_timeout', 'upstream_rate_limited', 'upstream_key_rejected', 'upstream_forbidden'])
    tell(called({ code }))
  assert.equal(hourOf(history, 'acme').sum(history.minute(), 'errors'), 4)
  assert.equal(hourOf(history, 'acme').sum(history.minute(), 'calls'), 8)
})

test('a repeated new member counts once, until an hour after it was last seen', () => {
  const held = holdHistory()
  const drift = (type: string, ...members: string[]) => held.tell({ kind: 'drift', connection: 'acme', type, members })
  const count = () => held.history.hourOf('acme', held.history.minute())?.members(held.history.minute()) ?? 0
  for (let i = 0; i < 50; i++) drift('apps', 'novel')
  drift('builds', 'novel')
  assert.equal(count(), 2)
  held.at += 30 * minuteMs
  drift('apps', 'novel')
  held.at += 30 * minuteMs
  assert.equal(count(), 1)
  held.at += 30 * minuteMs
  assert.equal(count(), 0)
  drift('apps', ...Array.from({ length: 5_000 }, (_, i) => `made-up-${i}`))
  assert.equal(count(), 200, 'the number of names is limited')
  held.at += 60 * minuteMs
  drift('apps', 'after them')
  assert.equal(count(), 1)
})

test('minutes older than an hour are dropped, and the rest moves to the left', () => {
  const held = holdHistory()
  const { history, tell } = held
  const calls = () => history.hourOf('acme', history.minute())?.perMinute(history.minute(), 'calls')
  tell(called())
  held.at += minuteMs
  tell(called(), called())
  assert.deepEqual(calls(), sixty(1, 2))
  held.at += 57 * minuteMs
  tell(called())
  assert.deepEqual(calls(), [0, 1, 2, ...sixty(1).slice(3)])
  held.at += minuteMs
  assert.deepEqual(calls(), [1, 2, ...sixty(1, 0).slice(2)])
  held.at += minuteMs
  assert.deepEqual(calls(), [2, ...sixty(1, 0, 0).slice(1)])
  held.at += 57 * minuteMs
  assert.deepEqual(calls(), [1, ...sixty()].slice(0, 60))
  held.at += minuteMs
  assert.equal(calls(), undefined, 'after an hour without calls the connection is dropped')
  tell(called())
  assert.deepEqual(calls(), sixty(1), 'nothing of the old round is left in the row')
  held.at += 1_000 * minuteMs
  tell(called())
  assert.deepEqual(calls(), sixty(1))
})

test('after random events the sums equal the events of the last sixty minutes', () => {
  const held = holdHistory()
  const { history, tell } = held
  const next = chance(7)
  const told: { at: number; id: string; kind: string }[] = []
  const ids = ['acme', 'other', 'solo', 'a.b', 'x']
  for (let step = 0; step < 6_000; step++) {
    if (next(8) === 0) held.at += next(4 * minuteMs)
    if (next(900) === 0) held.at += next(90) * minuteMs
    const id = ids[next(ids.length)] ?? ''
    const kind = ['calls', 'errors', 'requests', 'shared', 'cacheHits', 'cacheMisses'][next(6)] ?? ''
    told.push({ at: held.history.minute(), id, kind })
    if (kind === 'calls') tell(called({ connection: id }))
    if (kind === 'errors') tell(called({ connection: id, code: 'upstream_failed' }))
    if (kind === 'requests') tell(answered({ connection: id }))
    if (kind === 'shared') tell({ kind: 'shared', connection: id })
    if (kind === 'cacheHits') tell(answered({ connection: id, cache: 'hit' }))
    if (kind === 'cacheMisses') tell(answered({ connection: id, cache: 'miss' }))
    if (step % 20 > 0) continue
    const last = history.minute()
    const recent = told.filter(({ at }) => at > last - 60)
    const count = (one: string, ...kinds: string[]) =>
      recent.filter((event) => event.id === one && kinds.includes(event.kind)).length
    for (const one of ids) {
      const hour = history.hourOf(one, last)
      const found = (['calls', 'errors', 'requests', 'shared', 'cacheHits', 'cacheMisses'] as const).map(
        (name) => hour?.sum(last, name) ?? 0,
      )
      assert.deepEqual(found, [
        count(one, 'calls', 'errors'),
        count(one, 'errors'),
        count(one, 'requests', 'cacheHits', 'cacheMisses'),
        count(one, 'shared'),
        count(one, 'cacheHits'),
        count(one, 'cacheMisses'),
      ])
      assert.equal(sum(hour?.perMinute(last, 'calls') ?? []), found[0])
    }
    const { requests, platform } = history.service(last)
    assert.equal(sum(requests.ok), recent.filter(({ kind: one }) => /requests|cache/.test(one)).length)
    assert.equal(sum(platform.failed), recent.filter(({ kind: one }) => one === 'errors').length)
  }
})

test('connections idle for an hour are dropped, and above the limit those idle longest', () => {
  const held = holdHistory(100)
  const { history, tell } = held
  const isKnown = (i: number) => history.hourOf(`c${i}`, history.minute()) !== undefined
  for (let i = 0; i < 100; i++) tell(called({ connection: `c${i}` }))
  held.at += minuteMs
  for (let i = 0; i < 50; i++) tell(called({ connection: `c${i}` }))
  held.at += minuteMs
  for (let i = 100; i < 130; i++) tell(called({ connection: `c${i}` }))
  assert.deepEqual(
    [isKnown(0), isKnown(49), isKnown(50), isKnown(79), isKnown(80), isKnown(129)],
    [true, true, false, false, true, true],
  )
  const known = Array.from({ length: 130 }, (_, i) => isKnown(i)).filter(Boolean)
  assert.equal(known.length, 100)
})

test('minutes begin at whole minutes of the wall clock, also after it was set', () => {
  const { history } = holdHistory()
  const last = history.minute()
  const at = (now: number) => new Date(history.beganAt(last, now)).toISOString()
  assert.equal(at(noon), '2026-11-20T12:00:00.000Z')
  assert.equal(at(noon + 4), '2026-11-20T12:00:00.000Z', 'a small change of the clock does not change the minute')
  assert.equal(at(noon - 3_600_000), '2026-11-20T11:00:00.000Z')
  assert.equal(at(noon + 61_000), '2026-11-20T12:01:00.000Z')
})
