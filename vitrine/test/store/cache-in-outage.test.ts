import assert from 'node:assert/strict'
import test from 'node:test'
import type { Confirmation, DatabaseHealth } from '../../../base/store/outage.ts'
import { createRecentCache } from '../../../base/store/record-cache.ts'

/** a database that answers when the test releases it, and a control that confirms the records read under the current mark */
function watched() {
  const rows = new Map<string, string>()
  const waiting: PromiseWithResolvers<string | undefined>[] = []
  const seen = {
    now: 0,
    mark: 'm1' as string | undefined,
    isAway: false,
    isDoubted: false,
    doubts: 0,
    confirming: Promise.resolve(),
  }
  const health: DatabaseHealth = {
    beginQuery: () => () => undefined,
    isDown: () => seen.isAway,
    isSuspect: () => seen.isAway || seen.isDoubted,
    suspect: () => void seen.doubts++,
    mark: () => seen.mark,
    async confirms({ mark: stamp }: Confirmation) {
      await seen.confirming
      return stamp !== undefined && stamp === seen.mark
    },
    readsContinue: async () => true,
  }
  const look = async (id: string) => {
    if (seen.isAway) throw new Error('away')
    const asked = Promise.withResolvers<string | undefined>()
    waiting.push(asked)
    const row = rows.get(id)
    return (await asked.promise) ?? row
  }
  const recent = createRecentCache<string>(look, { ms: 500, now: () => seen.now, health: () => health })
  const answer = () => waiting.splice(0).forEach(({ resolve }) => resolve(undefined))
  return {
    rows,
    seen,
    recent,
    answer,
    fail: () => waiting.splice(0).forEach(({ reject }) => reject(new Error('not heard'))),
    async find(id: string) {
      const found = recent.find(id)
      answer()
      return found
    },
  }
}

test('while the database is down, only records read under the current mark are used', async () => {
  const { rows, seen, recent, find } = watched()
  rows.set('a', 'one')
  assert.equal(await find('a'), 'one')
  seen.isAway = true
  seen.now = 100_000
  assert.equal(await recent.find('a'), 'one')
  await assert.rejects(recent.find('b'), /away/)
  seen.mark = 'm2'
  await assert.rejects(recent.find('a'), /away/)
  seen.mark = undefined
  await assert.rejects(recent.find('a'), /away/)
  // a short time without a mark refuses keys only for that time
  seen.mark = 'm1'
  assert.equal(await recent.find('a'), 'one')
  recent.forget('a')
  await assert.rejects(recent.find('a'), /away/)
})

test('a record counts as read under the mark at the start of its query', async () => {
  const { rows, seen, recent, answer } = watched()
  rows.set('a', 'one')
  const slow = recent.find('a')
  seen.mark = 'm2'
  answer()
  assert.equal(await slow, 'one')
  seen.isAway = true
  seen.now = 600
  await assert.rejects(recent.find('a'), /away/)
})

test('a failed query is answered from the cache while the server is suspect, and fails where it refused', async () => {
  const { rows, seen, recent, find, fail } = watched()
  rows.set('a', 'one')
  await find('a')
  seen.now = 600
  const refused = recent.find('a')
  fail()
  await assert.rejects(refused, /not heard/)
  const doubted = recent.find('a')
  seen.isDoubted = true
  fail()
  assert.equal(await doubted, 'one')
})

test('a record that another caller read meanwhile is used where the own query failed', async () => {
  const { rows, seen, recent, find, fail } = watched()
  rows.set('a', 'one')
  await find('a')
  Object.assign(seen, { now: 600, isDoubted: true })
  const confirmation = Promise.withResolvers<void>()
  seen.confirming = confirmation.promise
  const waits = recent.find('a')
  fail()
  await new Promise((ok) => setImmediate(ok))
  rows.set('a', 'two')
  assert.equal(await find('a'), 'two')
  seen.mark = 'm2'
  confirmation.resolve()
  assert.equal(await waits, 'two')
})

test('a slow query is not awaited where a cached record can be used, and its result counts', async () => {
  const { rows, seen, recent, answer } = watched()
  rows.set('a', 'one')
  const first = recent.find('a')
  answer()
  await first
  seen.now = 600
  rows.set('a', 'two')
  assert.equal(await recent.find('a'), 'one')
  assert.equal(seen.doubts, 1)
  answer()
  await new Promise((ok) => setImmediate(ok))
  assert.equal(await recent.find('a'), 'two')
})

test('a record that was found missing is no longer used', async () => {
  const { rows, seen, recent, find } = watched()
  rows.set('a', 'one')
  await find('a')
  rows.delete('a')
  seen.now = 600
  assert.equal(await find('a'), undefined)
  seen.isAway = true
  await assert.rejects(recent.find('a'), /away/)
})
