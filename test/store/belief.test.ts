import assert from 'node:assert/strict'
import test from 'node:test'
import type { Confirmation, Vigil } from '../../src/store/outage.ts'
import { createRecent } from '../../src/store/recent.ts'

/** a database that answers when it is told to, and somebody who vouches for what was confirmed under the mark that stands */
function watched() {
  const rows = new Map<string, string>()
  const waiting: PromiseWithResolvers<string | undefined>[] = []
  const seen = { now: 0, mark: 'm1' as string | undefined, isAway: false, isDoubted: false, doubts: 0 }
  const vigil: Vigil = {
    setOut: () => () => undefined,
    isAway: () => seen.isAway,
    isDoubted: () => seen.isAway || seen.isDoubted,
    doubt: () => void seen.doubts++,
    stamp: () => seen.mark,
    vouches: async ({ stamp }: Confirmation) => stamp !== undefined && stamp === seen.mark,
    readsGoOn: async () => true,
  }
  const look = async (id: string) => {
    if (seen.isAway) throw new Error('away')
    const asked = Promise.withResolvers<string | undefined>()
    waiting.push(asked)
    const row = rows.get(id)
    return (await asked.promise) ?? row
  }
  const recent = createRecent<string>(look, { ms: 500, now: () => seen.now, vigil: () => vigil })
  const answer = () => waiting.splice(0).forEach(({ resolve }) => resolve(undefined))
  return {
    ...{ rows, seen, recent, answer },
    fail: () => waiting.splice(0).forEach(({ reject }) => reject(new Error('not heard'))),
    async find(id: string) {
      const found = recent.find(id)
      answer()
      return found
    },
  }
}

test('away from the database, what was confirmed under the mark that stands is believed, and nothing else', async () => {
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
  // a moment without evidence costs a moment
  seen.mark = 'm1'
  assert.equal(await recent.find('a'), 'one')
  recent.forget('a')
  await assert.rejects(recent.find('a'), /away/)
})

test('a record was confirmed under the mark that stood when its query set out, however late it lands', async () => {
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

test('a query that fails is answered from belief where the server is doubted, and fails where it refused', async () => {
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

test('a slow query is not waited for where there is something to believe, and what it brings counts', async () => {
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

test('what is found to be gone is believed no more', async () => {
  const { rows, seen, recent, find } = watched()
  rows.set('a', 'one')
  await find('a')
  rows.delete('a')
  seen.now = 600
  assert.equal(await find('a'), undefined)
  seen.isAway = true
  await assert.rejects(recent.find('a'), /away/)
})
