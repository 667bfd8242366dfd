// Each checker of the cluster can fail, and fails for exactly the fault that it checks.
import assert from 'node:assert/strict'
import test from 'node:test'
import { itemId } from '../faults/long-lists.ts'
import { createAnswers } from './checkers/answers.ts'
import { createQuotaChecker } from './checkers/quota.ts'
import { createRatesChecker } from './checkers/rates.ts'
import { createRecovery } from './checkers/recovery.ts'
import { createSecrets } from './checkers/secrets.ts'
import { createTakenAway } from './checkers/revoked.ts'
import { createWalks } from './checkers/paging.ts'
import type { Told } from './request.ts'
import { createSliding } from './platform.ts'

const told = (status: number, json: unknown, headers: Told['headers'] = {}): Told => ({
  status,
  json,
  headers,
  text: JSON.stringify(json) ?? '',
  sentAt: 0,
  doneAt: 1,
})

test('the checker notices a key that works a second after its expiry, and not one before it', () => {
  const checker = createTakenAway()
  const use = { things: ['k', 'c'], replica: 'b', status: 200 }
  checker.acknowledged('k', 5_000)
  checker.used({ ...use, sentAt: 5_900 })
  checker.used({ ...use, sentAt: 7_000, status: 401 })
  checker.used({ ...use, things: ['other'], sentAt: 9_000 })
  assert.deepEqual(checker.faults(), [])
  assert.equal(checker.longestMs(), 900)
  checker.used({ ...use, sentAt: 6_001 })
  assert.deepEqual(checker.faults(), ['k opened at b 1001 ms after its end'])
})

test('the checker notices a key over its rate limit, and allows more while replicas count separately', () => {
  const checker = createRatesChecker({ apartSlack: 2 })
  checker.limit('k', 20)
  const admit = (count: number, at: number) => {
    for (let n = 0; n < count; n++) checker.admitted({ keyId: 'k', sentAt: at, doneAt: at + 1 })
  }
  admit(21, 100)
  admit(20, 60_100)
  // sent before the window began
  checker.admitted({ keyId: 'k', sentAt: 59_000, doneAt: 60_200 })
  assert.deepEqual(checker.faults(), [])
  admit(2, 60_200)
  assert.equal(checker.faults().length, 1)
  checker.apart(61_000, 62_000)
  assert.deepEqual(checker.faults(), [])
  admit(19, 61_000)
  assert.equal(checker.faults().length, 1)
  assert.deepEqual(checker.worst(), { together: 21 / 20, apart: 41 / 20 })
})

test("the checker notices a call over the platform's quota, and allows more while Redis is unreachable", () => {
  const counted = { calls: 9, beyond: 0, beyondAt: [] as number[], mostInMinute: 10, mostInHour: 10 }
  const losses: number[] = []
  const quotas = { K: { minute: 10, hour: 20 } }
  const checker = createQuotaChecker({ quotas, countedOf: () => counted, awayAt: () => losses, replicas: 2 })
  assert.deepEqual(checker.faults(), [])
  Object.assign(counted, { beyond: 1, beyondAt: [200_000], mostInMinute: 11 })
  assert.equal(checker.faults().length, 1)
  losses.push(100_000)
  assert.equal(checker.faults().length, 1, 'that was in another minute')
  losses.push(150_000)
  assert.deepEqual(checker.faults(), [])
  counted.mostInMinute = 16
  assert.equal(checker.faults().length, 1)
  Object.assign(counted, { mostInMinute: 15, mostInHour: 31 })
  assert.equal(checker.faults().length, 1)
})

test("the checker's quota window moves with the clock", () => {
  let now = 0
  const window = createSliding(60_000, () => now)
  for (now = 0; now < 50_000; now += 10_000) window.add()
  assert.equal(window.count(), 5)
  now = 60_000
  assert.equal(window.count(), 4)
  now = 200_000
  assert.equal(window.count(), 0)
})

test('the checker notices lost, repeated and wrong items, and lists that end early or late', () => {
  const items = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => itemId('l', from + i))
  const page = { list: 'l', from: 2, limit: 2, size: 5, replica: 'a' }
  const faultsOf = (json: unknown, more: object = {}) => {
    const checker = createWalks()
    checker.page({ ...page, json, ...more })
    return checker.faults().length
  }
  assert.equal(faultsOf({ items: items(2, 4), nextCursor: 'n' }), 0)
  assert.equal(faultsOf({ items: items(4, 5), nextCursor: null }, { from: 4 }), 0)
  for (const json of [
    { items: items(2, 3), nextCursor: 'n' },
    { items: [...items(2, 4), 'l-3'], nextCursor: 'n' },
    { items: items(3, 5), nextCursor: 'n' },
    { items: [], nextCursor: 'n' },
    { items: items(2, 4), nextCursor: null },
    { items: items(2, 4) },
    { nextCursor: 'n' },
    undefined,
  ])
    assert.ok(faultsOf(json) > 0, JSON.stringify(json))
  assert.ok(faultsOf({ items: items(4, 5), nextCursor: 'n' }, { from: 4 }) > 0)
})

const envelope = (code: string, type: string) => ({
  error: { code, type, message: 'words', requestId: 'r1', retryable: true, docUrl: '' },
})

test('the checker notices undocumented errors and empty successes', () => {
  const faultsOf = (one: Told, whole?: (json: any) => boolean) => {
    const checker = createAnswers()
    checker.answered('here', one, whole)
    return checker.faults().length
  }
  const ids = { 'x-request-id': 'r1' }
  const good = told(503, envelope('store_unavailable', 'overloaded'), ids)
  assert.equal(faultsOf(good), 0)
  assert.equal(faultsOf(told(0, undefined)), 0)
  assert.equal(faultsOf(told(200, { items: ['x'] }, ids)), 0)
  for (const [one, whole] of [
    [told(500, envelope('internal_error', 'internal_error'), ids)],
    [told(400, envelope('cursor_invalid', 'invalid_query'), ids)],
    [told(502, undefined, ids)],
    [told(503, { error: { code: 'nonsense' } }, ids)],
    [told(502, envelope('store_unavailable', 'overloaded'), ids)],
    [told(503, envelope('store_unavailable', 'upstream_error'), ids)],
    [told(503, envelope('store_unavailable', 'overloaded'), { 'x-request-id': 'r2' })],
    [told(200, undefined, ids)],
    [told(200, { items: [] }, ids), (json: any) => json.items.length > 0],
  ] as const)
    assert.equal(faultsOf(one, whole), 1, one.text)
})

test('the checker notices a replica that does not return, or only at times', async () => {
  const checker = createRecovery(100)
  assert.ok((await checker.await('a', async () => 200)) < 100)
  assert.deepEqual(checker.faults(), [])
  await checker.await('b', async () => 503)
  let turn = 0
  await checker.await('c', async () => (turn++ % 2 ? 200 : 503))
  assert.equal(checker.faults().length, 2)
})

test('the checker notices a secret in a log, also in base64', () => {
  const checker = createSecrets([{ name: 'the token', secret: 'operator-0123456789abcdef' }])
  checker.wrote('log', 'kind answered, status 200, operator')
  assert.deepEqual(checker.faults(), [])
  checker.wrote('log', `…${Buffer.from('x operator-0123456789abcdef').toString('base64')}…`)
  assert.equal(checker.faults().length, 1)
})
