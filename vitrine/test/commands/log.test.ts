import assert from 'node:assert/strict'
import test from 'node:test'
import { createLog } from '../../src/commands/log.ts'
import type { Event } from '../../src/events.ts'
import { answered, createOutputStream } from '../support/output-stream.ts'

/** every kind: how it is written, and whether it is a problem */
const table: [event: Event, level: 'info' | 'warn' | 'error' | undefined, isProblem: boolean][] = [
  [{ kind: 'started', url: 'http://127.0.0.1:1', connections: 1, node: 'v26' }, 'info', true],
  [{ kind: 'stopping', signal: 'SIGTERM' }, 'info', true],
  [answered(200), 'info', false],
  [answered(304), 'info', false],
  [answered(404, { code: 'connection_not_found' }), 'info', false],
  [answered(429, { code: 'key_rate_limited' }), 'info', false],
  [answered(499), 'info', false],
  [answered(500, { code: 'internal_error' }), 'warn', true],
  [answered(502, { code: 'upstream_malformed', reason: 'a success is not JSON' }), 'warn', true],
  [answered(503), 'warn', true],
  [{ kind: 'unreadable', connection: 'acme', reason: 'altered' }, 'warn', true],
  [{ kind: 'master_key_missing', masterKey: 'k1', connections: 2 }, 'warn', true],
  [{ kind: 'shadowed', connection: 'acme' }, 'warn', true],
  [{ kind: 'reloaded', connections: 1, needRestart: ['listen'] }, 'info', true],
  [{ kind: 'reload_refused', reason: 'wrong' }, 'warn', true],
  [{ kind: 'refused', code: 'malformed_request', reason: 'bytes' }, 'info', true],
  [{ kind: 'called', connection: 'acme', status: 200, attempt: 1, waitedMs: 0, durationMs: 3 }, undefined, false],
  [{ kind: 'called', connection: 'acme', code: 'x', attempt: 3, waitedMs: 0, durationMs: 3 }, undefined, false],
  [{ kind: 'shared', connection: 'acme' }, undefined, false],
  [{ kind: 'breaker', connection: 'acme', state: 'open' }, 'warn', true],
  [{ kind: 'breaker', connection: 'acme', state: 'half-open' }, 'info', true],
  [{ kind: 'breaker', connection: 'acme', state: 'closed' }, 'info', true],
  [{ kind: 'key_rejected', connection: 'acme', pauseSec: 30 }, 'warn', true],
  [{ kind: 'clock_offset', connection: 'acme', offsetSec: 600 }, 'warn', true],
  [{ kind: 'drift', connection: 'acme', type: 'apps', members: ['novel'] }, 'info', true],
  [{ kind: 'duplicate', type: 'apps', count: 1 }, 'info', false],
  [{ kind: 'audit_waiting', lines: 3, reason: 'locked' }, 'warn', true],
  [{ kind: 'audit_lost', lines: 3 }, 'error', true],
  [{ kind: 'audit_pruned', lines: 3, through: 9, hash: 'ab' }, 'info', true],
  [{ kind: 'audit_unpruned', reason: 'an edited line' }, 'warn', true],
  [{ kind: 'dropped', lines: 3 }, 'warn', true],
  [{ kind: 'failed', requestId: 'req_1', reason: 'TypeError', stack: 'TypeError: x\n    at y' }, 'error', true],
]

test('an event is one line of JSON with its level, its time and its fields as they are; what metrics count is none', () => {
  for (const [event, level] of table) {
    const to = createOutputStream()
    createLog('all', to.out)(event)
    if (level === undefined) {
      assert.equal(to.seen.text, '', event.kind)
      continue
    }
    assert.match(to.seen.text, /^[^\n]+\n$/)
    const { level: said, time, ...fields } = to.events()[0]
    assert.deepEqual(fields, event)
    assert.equal(said, level, JSON.stringify(event))
    assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000 && new Date(time).toISOString() === time)
  }
})

test('`problems` keeps what went wrong or changed, `off` nothing', () => {
  for (const [event, , isProblem] of table) {
    const [problems, off] = [createOutputStream(), createOutputStream()]
    createLog('problems', problems.out)(event)
    createLog('off', off.out)(event)
    assert.equal(problems.lines().length, isProblem ? 1 : 0, JSON.stringify(event))
    assert.equal(off.seen.text, '')
  }
})

test('the quick line of an answered request is the one that is made where something would be cut out', () => {
  const lineOf = (event: Event) => {
    const to = createOutputStream()
    createLog('all', to.out)(event)
    return to.seen.text.replace(/"time":"[^"]+"/, '"time":""')
  }
  for (const [status, more] of [
    [200, { keyId: 'k', cache: 'hit', waitedMs: 3, platformMs: 4 }],
    [404, { code: 'route_not_found', connection: 'acme', reason: 'say "no" \\ to it' }],
    [502, { code: 'upstream_failed', reason: '' }],
  ] as const) {
    const quick = lineOf(answered(status, { ...more, from: '10.0.0.1' }))
    // not plain text, so each value is checked on its own
    const long = lineOf(answered(status, { ...more, from: '10.0.0.1é' }))
    assert.equal(quick, long.replace('é', ''))
  }
})

test('what would be cut out of a value is cut out of the line of an answered request', () => {
  const to = createOutputStream()
  createLog('all', to.out)(answered(404, { code: 'x someone@example.com y', reason: 'z'.repeat(5_000) }))
  const [event] = to.events()
  assert.equal(event.code, 'x [address redacted] y')
  assert.equal(event.reason.length, 4_001)
})

const hostile = [
  'a\r\n{"level":"error","kind":"failed"}',
  '\u001b[2J\u001b]0;title\u0007\u009b31m\u007f\u0000\u0085',
  'user\u202egnp.exe\u2066x\u2069\u200f\u061c',
  'line\u2028and\u2029paragraph\ufeff\u00ad\u200b',
  'broken \ud800 halves \udc00',
  'tags \u{e0041}\u{e007f}',
  'fillers \u3164\u034f\ufe0f and signs of one font \ue000',
  '","kind":"started","x":"',
  '\\',
  '\\"',
  '\\u000a',
  `${'x'.repeat(99)}\u202e`,
  `${'x'.repeat(101)}"\u202e\n`,
  '%s %d %j %o',
  '__proto__',
]

test('whatever a value holds, it is one line of JSON that says so, and no sign in it is acted on', () => {
  for (const text of hostile) {
    const to = createOutputStream()
    const log = createLog('all', to.out)
    log(answered(404, { operation: text, from: text, code: text, connection: text, keyId: text, traceId: text }))
    log({ kind: 'failed', requestId: text, reason: text, stack: text })
    log({ kind: 'drift', connection: 'acme', type: text, members: [text, `${text}2`] })
    assert.equal(to.lines().length, 3, JSON.stringify(text))
    assert.doesNotMatch(to.seen.text.replaceAll('\n', ''), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{DI}]/u)
    const [one, two, three] = to.events()
    for (const name of ['operation', 'from', 'code', 'connection', 'keyId', 'traceId']) assert.equal(one[name], text)
    assert.deepEqual([one.kind, one.level, one.status], ['answered', 'info', 404])
    assert.deepEqual([two.kind, two.reason, two.stack], ['failed', text, text])
    assert.deepEqual([three.kind, three.members], ['drift', [text, `${text}2`]])
  }
})

test('what looks like a secret is cut out of a value, and takes nothing of the line along', () => {
  const rows: [value: string, written: string][] = [
    ['it said Bearer abcdefghijkl"', 'it said Bearer [redacted]"'],
    ['Basic abcdefgh\\"', 'Basic [redacted]"'],
    ['-----BEGIN PRIVATE KEY-----\nabc', '[private key redacted]'],
    ['postgres://u:pass@db/v', 'postgres://u:[redacted]@db/v'],
    ['who@example.com', '[address redacted]'],
  ]
  for (const [value, written] of rows) {
    const to = createOutputStream()
    createLog('all', to.out)({ kind: 'audit_waiting', reason: value, lines: 2 })
    const { reason, lines } = to.events()[0]
    assert.deepEqual([reason, lines], [written, 2])
    const human = createOutputStream(true)
    createLog('all', human.out)({ kind: 'audit_waiting', reason: value, lines: 2 })
    assert.doesNotMatch(human.seen.text, /abcdefgh|abc$|pass|who@/)
  }
})

test('a line has a bound, whatever a library or the platform calls things', () => {
  const to = createOutputStream()
  const log = createLog('all', to.out)
  log({ kind: 'failed', requestId: 'req_1', reason: 'x'.repeat(1e6), stack: 'y'.repeat(1e6) })
  log({
    kind: 'drift',
    connection: 'acme',
    type: 'apps',
    members: Array.from({ length: 500 }, (_, i) => `${i}${'m'.repeat(10_000)}`),
  })
  for (const line of to.lines()) assert.ok(line.length < 40_000, `${line.length}`)
  assert.match(to.events()[0].reason, /^x{4000}…$/)
})

test('at a terminal it is a short line: what it cost, what was repeated and shared, and what the cache did', () => {
  const to = createOutputStream(true)
  const log = createLog('all', to.out)
  log(answered(200, { connection: 'acme', platformCalls: 0, cache: 'hit' }))
  log(
    answered(502, { connection: 'acme', code: 'upstream_malformed', platformCalls: 3, retries: 2, reason: 'no JSON' }),
  )
  log(answered(200, { connection: 'acme', shared: 1, waitedMs: 40, retries: 1 }))
  log({ kind: 'breaker', connection: 'acme', state: 'open' })
  log({ kind: 'called', connection: 'acme', attempt: 1, waitedMs: 0, durationMs: 0 })
  log({ kind: 'refused', code: 'x', reason: '\u001b[2Jhidden\nnext' })
  assert.deepEqual(to.lines(), [
    '200  GET  acme  listApps  12 ms  0 platform calls, cache hit',
    '502  GET  acme  listApps  upstream_malformed  12 ms  3 platform calls, 2 repeats  no JSON',
    '200  GET  acme  listApps  12 ms  1 platform call, 1 repeat, 1 shared, waited 40 ms',
    'breaker: acme open',
    'refused: x \u{fffd}[2Jhidden\u{fffd}next',
  ])
})
