import assert from 'node:assert/strict'
import test from 'node:test'
import { createLog } from '../../src/commands/log.ts'
import { answered, createOutputStream } from '../support/output-stream.ts'

test('an overload is one line a second for each reason, with the number of all', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const to = createOutputStream()
  const log = createLog('problems', to.out)
  const told = () => to.events().map(({ kind, reason, count }) => [kind, reason, count])
  for (let i = 0; i < 1_000; i++) log({ kind: 'shed', reason: 'requests' })
  log({ kind: 'shed', reason: 'memory' })
  for (let i = 0; i < 10; i++) log({ kind: 'crowded', from: `10.0.0.${i}`, sockets: 1_000 })
  const first = [
    ['shed', 'requests', 1],
    ['shed', 'memory', 1],
    ['crowded', undefined, 1],
  ]
  assert.deepEqual(told(), first)
  t.mock.timers.tick(999)
  assert.deepEqual(told(), first)
  t.mock.timers.tick(1)
  assert.deepEqual(told().slice(3), [
    ['shed', 'requests', 999],
    ['crowded', undefined, 9],
  ])
  assert.equal(to.events().at(-1).from, '10.0.0.9')
  log({ kind: 'shed', reason: 'requests' })
  assert.equal(told().length, 5, 'the second that has begun is still one line')
  t.mock.timers.tick(1_000)
  assert.deepEqual(told().at(-1), ['shed', 'requests', 1])
  t.mock.timers.tick(5_000)
  assert.equal(told().length, 6)
  log({ kind: 'shed', reason: 'requests' })
  assert.equal(told().length, 7)
})

const refusal = (from: string, more: object = {}) =>
  answered(401, { operation: 'unknown', from, code: 'key_missing', platformCalls: 0, ...more })

test('refusals without a key are one line a second for each network, with their number', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const to = createOutputStream()
  const log = createLog('all', to.out)
  const told = () => to.events().map(({ from, code, count }) => [from, code, count])
  for (let i = 0; i < 1_000; i++) log(refusal(`10.0.0.${i % 256}`))
  log(refusal('10.0.0.9', { status: 400, code: 'malformed_request' }))
  for (let i = 0; i < 50; i++) log(refusal(`2001:db8:0:ff${i + 10}::1`))
  const first = [
    ['10.0.0.0', 'key_missing', undefined],
    ['2001:db8:0:ff10::1', 'key_missing', undefined],
  ]
  assert.deepEqual(told(), first)
  t.mock.timers.tick(1_000)
  assert.deepEqual(told(), [
    ...first,
    ['10.0.0.9', 'malformed_request', 1_000],
    ['2001:db8:0:ff59::1', 'key_missing', 49],
  ])
  t.mock.timers.tick(1_000)
  log(refusal('10.0.0.1'))
  assert.deepEqual(told().at(-1), ['10.0.0.1', 'key_missing', undefined])
  assert.equal(told().length, 5)
})

test('an attacker of many networks writes a hundred lines in a second, and one for all others', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const to = createOutputStream()
  const log = createLog('all', to.out)
  for (let i = 0; i < 5_000; i++) log(refusal(`2001:db8:${i.toString(16)}::1`))
  assert.equal(to.lines().length, 101)
  assert.deepEqual(
    to.events().map(({ from }) => from === 'others'),
    Array.from({ length: 101 }, (_, i) => i === 100),
  )
  t.mock.timers.tick(1_000)
  assert.deepEqual(
    to
      .events()
      .slice(101)
      .map(({ from, count }) => [from, count]),
    [['others', 4_899]],
  )
})

test('what keys and operators do, open pages and failures have a line each; bytes that are no request do not', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const to = createOutputStream()
  const log = createLog('all', to.out)
  const flood = (status: number, more: object) => {
    const before = to.lines().length
    for (let i = 0; i < 10; i++) log(answered(status, { from: '10.0.0.1', ...more }))
    return to.lines().length - before
  }
  assert.equal(flood(404, { operation: '/errors/:code', code: 'route_not_found' }), 1)
  assert.equal(flood(401, { operation: 'unknown', code: 'operator_token_invalid' }), 0)
  assert.equal(flood(200, { operation: '/openapi.json' }), 10)
  assert.equal(flood(200, { keyId: 'A1b2C3d4E5f6' }), 10)
  assert.equal(flood(403, { keyId: 'A1b2C3d4E5f6', code: 'group_not_granted' }), 10)
  assert.equal(flood(404, { operation: 'showKey', code: 'key_unknown' }), 10)
  assert.equal(flood(503, { operation: 'unknown', code: 'too_busy' }), 10)
  for (let i = 0; i < 10; i++) log({ kind: 'refused', code: 'malformed_request', reason: 'HPE_INVALID_METHOD' })
  assert.equal(to.lines().length, 52)
  t.mock.timers.tick(1_000)
  assert.deepEqual(
    to
      .events()
      .slice(52)
      .map(({ kind, status, count }) => [kind, status, count]),
    [
      ['answered', 401, 19],
      ['refused', undefined, 9],
    ],
  )
})

test('unread lines are dropped, and the next line that is read counts them', async () => {
  const to = createOutputStream()
  const log = createLog('all', to.out)
  to.seen.shut = true
  const sent = 20_000
  for (let i = 0; i < sent; i++) log(answered(200, { requestId: `req_${i}` }))
  assert.ok(to.out.writableLength > 1024 * 1024 && to.out.writableLength < 1.1 * 1024 * 1024)
  to.open()
  await new Promise<void>((ok) => setImmediate(ok))
  log(answered(200, { requestId: 'req_last' }))
  const events = to.events()
  const at = events.findIndex(({ kind }) => kind === 'dropped')
  assert.equal(events[at].lines, sent - at)
  assert.deepEqual(
    events.map(({ requestId }) => requestId),
    [...Array.from({ length: at }, (_, i) => `req_${i}`), undefined, 'req_last'],
  )
})

test('the number of dropped lines does not wait for another event', async () => {
  const to = createOutputStream()
  const log = createLog('all', to.out)
  to.seen.shut = true
  for (let i = 0; i < 10_000; i++) log(answered(200))
  to.open()
  for (let i = 0; i < 20; i++) await new Promise<void>((ok) => setImmediate(ok))
  const events = to.events()
  assert.equal(events.at(-1).kind, 'dropped')
  assert.equal(events.at(-1).lines, 10_000 - (events.length - 1))
})

test('an unknown member of the platform is logged once', () => {
  const to = createOutputStream()
  const log = createLog('all', to.out)
  log({ kind: 'drift', connection: 'acme', type: 'apps', members: ['one', 'two'] })
  log({ kind: 'drift', connection: 'acme', type: 'apps', members: ['two'] })
  log({ kind: 'drift', connection: 'acme', type: 'builds', members: ['two'] })
  log({ kind: 'drift', connection: 'acme', type: 'apps', members: ['two', 'three'] })
  assert.deepEqual(
    to.events().map(({ type, members }) => [type, members]),
    [
      ['apps', ['one', 'two']],
      ['builds', ['two']],
      ['apps', ['three']],
    ],
  )
})
