import assert from 'node:assert/strict'
import test from 'node:test'
import { createRecentCache } from '../../../base/store/record-cache.ts'

/** a database that counts its queries and answers when the test allows it */
function slow() {
  const rows = new Map<string, string>()
  const waiting: (() => void)[] = []
  const seen = { queries: 0, now: 0, broken: false }
  const recent = createRecentCache<string>(
    async (id) => {
      seen.queries++
      const row = rows.get(id)
      await new Promise<void>((ok) => waiting.push(ok))
      if (seen.broken) throw new Error('broken')
      return row
    },
    { ms: 500, limit: 3, now: () => seen.now },
  )
  const answer = async () => {
    waiting.splice(0).forEach((ok) => ok())
    await new Promise((ok) => setImmediate(ok))
  }
  const find = async (id: string) => {
    const found = recent.find(id)
    await answer()
    return found
  }
  return { rows, seen, recent, answer, find }
}

test('a hundred equal lookups at once make one query, and none follows for half a second', async () => {
  const { rows, seen, recent, answer, find } = slow()
  rows.set('a', 'one')
  const all = Array.from({ length: 100 }, () => recent.find('a'))
  await answer()
  assert.deepEqual(new Set(await Promise.all(all)), new Set(['one']))
  seen.now = 499
  assert.equal(await find('a'), 'one')
  assert.equal(seen.queries, 1)
  rows.set('a', 'two')
  seen.now = 500
  assert.equal(await find('a'), 'two')
  assert.equal(seen.queries, 2)
})

test('a record is as old as the start of its query, however late the answer comes', async () => {
  const { rows, seen, recent, answer, find } = slow()
  rows.set('a', 'one')
  const first = recent.find('a')
  rows.set('a', 'two')
  seen.now = 600
  // the look-up is too old to be shared, and its result too old to be cached
  const second = recent.find('a')
  await answer()
  assert.deepEqual([await first, await second], ['one', 'two'])
  assert.equal(await find('a'), 'two')
  assert.equal(seen.queries, 2)
})

test('a missing record is read again by every lookup after the start of a query', async () => {
  const { rows, seen, recent, answer, find } = slow()
  const first = recent.find('a')
  seen.now = 1
  const later = Array.from({ length: 50 }, () => recent.find('a'))
  rows.set('a', 'new')
  await answer()
  assert.equal(await first, undefined)
  await answer()
  assert.deepEqual(new Set(await Promise.all(later)), new Set(['new']))
  assert.equal(seen.queries, 2)
  assert.equal(await find('b'), undefined)
  assert.equal(await find('b'), undefined)
  assert.equal(seen.queries, 4)
})

test('a record that is dropped during its query is not cached', async () => {
  const { rows, seen, recent, answer, find } = slow()
  rows.set('a', 'one')
  const first = recent.find('a')
  rows.set('a', 'two')
  recent.forget('a')
  await answer()
  assert.equal(await first, 'one')
  assert.equal(await find('a'), 'two')
  recent.forget('a')
  await find('a')
  assert.equal(seen.queries, 3)
})

test('a failure reaches all who wait, and is not cached', async () => {
  const { rows, seen, recent, answer, find } = slow()
  rows.set('a', 'one')
  seen.broken = true
  const all = [recent.find('a'), recent.find('a')].map((one) => assert.rejects(one, /broken/))
  await answer()
  await Promise.all(all)
  seen.broken = false
  assert.equal(await find('a'), 'one')
  assert.equal(seen.queries, 2)
})

test('the cache is bounded, and drops the oldest record first', async () => {
  const { rows, seen, find } = slow()
  for (const id of ['a', 'b', 'c', 'd']) {
    rows.set(id, id)
    await find(id)
  }
  await find('d')
  await find('b')
  assert.equal(seen.queries, 4)
  await find('a')
  assert.equal(seen.queries, 5)
})
