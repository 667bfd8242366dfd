import assert from 'node:assert/strict'
import test from 'node:test'
import type { Event } from '../../../base/core/events.ts'
import type { Problem } from '../../src/problems.ts'
import { createReadAudit } from '../../../base/watch/read-records.ts'
import { startOverSandbox } from '../support/service.ts'
import { answered, heldAudit } from './read-audit-queue.ts'

test('audit lines that cannot be written wait in order and are written once', async () => {
  const { written, gate, audit } = heldAudit()
  const events: Event[] = []
  const reads = createReadAudit(audit, Date.now, (event) => events.push(event))
  for (let i = 0; i < 10_000; i++) reads.note(answered(String(i)))
  await new Promise((ok) => setTimeout(ok, 400))
  gate.isOpen = true
  await reads.close()
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['audit_waiting'],
    'said once for one failure',
  )
  assert.deepEqual(
    written.map(({ requestId }) => requestId),
    Array.from({ length: 10_000 }, (_, i) => String(i)),
  )
})

test('the caller who fills the audit queue is rejected, other callers and the probe are not', async (t) => {
  const { gate, audit } = heldAudit()
  const reads = createReadAudit(audit, Date.now, () => {})
  t.after(() => reads.close())
  const fill = (keyId: string): number => {
    for (let count = 0; ; count++)
      try {
        reads.requireRoom(`key:${keyId}`)
        reads.note({ ...answered(String(count)), keyId } as Event)
      } catch (error) {
        assert.deepEqual([(error as Problem).code, (error as Problem).extras.retryAfterSec], ['audit_behind', 1])
        return count
      }
  }
  const mine = fill('greedy')
  assert.equal(mine, 10_500)
  reads.requireRoom('key:quiet')
  assert.equal(reads.accepting(), true)
  assert.equal(fill('second'), 5_250, 'who comes later has half of what is left')
  reads.requireRoom('key:quiet')
  gate.isOpen = true
  for (const until = Date.now() + 5_000; ; await new Promise((ok) => setTimeout(ok, 20)))
    try {
      reads.requireRoom('key:greedy')
      break
    } catch {
      assert.ok(Date.now() < until, 'it is heard again once its lines are written')
    }
})

test('when several callers fill the audit queue together, all callers are rejected and the probe fails', async (t) => {
  const { gate, audit } = heldAudit()
  const reads = createReadAudit(audit, Date.now, () => {})
  t.after(() => reads.close())
  for (let i = 0; i < 20_000; i++) reads.note({ ...answered(String(i)), keyId: `k${i % 50}` } as Event)
  assert.equal(reads.accepting(), false)
  assert.throws(() => reads.requireRoom('key:quiet'), { code: 'store_unavailable' })
  gate.isOpen = true
  for (const until = Date.now() + 5_000; !reads.accepting(); await new Promise((ok) => setTimeout(ok, 20)))
    assert.ok(Date.now() < until)
  reads.requireRoom('key:quiet')
})

const refused = (requestId: string, code: string, more = {}): Event =>
  ({ ...answered(requestId), status: 429, code, platformCalls: 0, ...more }) as Event

test('rejections of one key for one cause are one counted audit line a minute, and reads stay one line each', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { written, gate, audit } = heldAudit()
  gate.isOpen = true
  let now = Date.parse('2027-01-31T12:00:00Z')
  const reads = createReadAudit(
    audit,
    () => now,
    () => {},
  )
  for (let i = 0; i < 30_000; i++) reads.note(refused(String(i), 'key_rate_limited', { operation: 'unknown' }))
  now += 30_000
  reads.note(refused('last', 'key_rate_limited', { operation: 'unknown', from: '10.0.0.2' }))
  for (let i = 0; i < 3; i++) reads.note(refused('g', 'group_not_granted', { status: 403 }))
  reads.note(refused('other', 'key_rate_limited', { keyId: 'second' }))
  for (let i = 0; i < 5; i++) reads.note(answered(`read ${i}`))
  // the platform's refusal is not one of ours
  for (let i = 0; i < 2; i++) reads.note({ ...answered('none'), status: 404, code: 'resource_not_found' } as Event)
  now += 30_000
  t.mock.timers.tick(60_000)
  for (let i = 0; i < 7; i++) reads.note(refused('more', 'key_rate_limited'))
  t.mock.timers.tick(120_000)
  reads.note(refused('much later', 'key_rate_limited'))
  await reads.close()
  const of = (code: string | null) => written.filter(({ details }) => details['code'] === code)
  assert.deepEqual(
    of('key_rate_limited').map(({ who, requestId, details: { count } }) => [who, requestId, count]),
    [
      ['key:k', '0', 1],
      ['key:second', 'other', 1],
      ['key:k', '1', 30_000],
      ['key:k', 'more', 7],
      ['key:k', 'much later', 1],
    ],
  )
  const { firstAt, lastAt, addresses, operation } = of('key_rate_limited')[2]?.details ?? {}
  assert.deepEqual(
    [firstAt, lastAt, addresses, operation],
    ['2027-01-31T12:00:00.000Z', '2027-01-31T12:00:30.000Z', ['10.0.0.1', '10.0.0.2'], 'unknown'],
  )
  assert.deepEqual(
    of('group_not_granted').map(({ details: { count } }) => count),
    [1, 2],
  )
  assert.deepEqual([of(null).length, of('resource_not_found').length], [5, 2])
})

test('F165: if the audit queue is full for one key, its reads are rejected and those of other keys are not', async (t) => {
  const { sandbox, service, close } = await startOverSandbox({ file: { audit: { reads: true } } })
  t.after(close)
  const greedy = await service.issue()
  const { DatabaseSync } = await import('node:sqlite')
  const other = new DatabaseSync(`${service.folder}/v.db`)
  other.exec('BEGIN IMMEDIATE')
  const whoami = () => service.ask('/v1/whoami', { key: greedy })
  for (let i = 0; i < 10_500; i += 250) await Promise.all(Array.from({ length: 250 }, whoami))
  const before = sandbox.asked.length
  const { status, json, headers } = await service.ask('/apps?limit=1', { key: greedy })
  assert.deepEqual(
    [status, json.error.code, headers['retry-after'], sandbox.asked.length],
    [503, 'audit_behind', '1', before],
  )
  assert.deepEqual([(await service.ask('/apps?limit=1')).status, (await service.ask('/readyz')).status], [200, 200])
  other.exec('ROLLBACK')
  other.close()
  for (const until = Date.now() + 6_000; (await whoami()).status !== 200;) assert.ok(Date.now() < until)
})
