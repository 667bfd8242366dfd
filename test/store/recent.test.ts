import assert from 'node:assert/strict'
import test from 'node:test'
import { createRecent } from '../../src/store/recent.ts'

/** a database that counts its queries and answers when it is told to */
function slow() {
  const rows = new Map<string, string>()
  const waiting: (() => void)[] = []
  const seen = { queries: 0, now: 0, broken: false }
  const recent = createRecent<string>(
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

test('a hundred equal lookups at once are one query, and half a second long no other follows', async () => {
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

test('a record is as old as the question that brought it, however late the answer comes', async () => {
  const { rows, seen, recent, answer, find } = slow()
  rows.set('a', 'one')
  const first = recent.find('a')
  rows.set('a', 'two')
  seen.now = 600
  // the flight is too old to be shared, and what it brings too old to be kept
  const second = recent.find('a')
  await answer()
  assert.deepEqual([await first, await second], ['one', 'two'])
  assert.equal(await find('a'), 'two')
  assert.equal(seen.queries, 2)
})

test('what is absent is looked for every time, by everybody who asks later than the query set out', async () => {
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

test('what is forgotten on its way is not remembered', async () => {
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

test('a failure is told to all who wait, and remembered by none', async () => {
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

test('no more than so many are remembered, the oldest go first', async () => {
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
