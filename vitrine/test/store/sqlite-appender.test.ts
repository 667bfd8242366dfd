import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSqlite } from '../../src/store/open.ts'
import test, { type TestContext } from 'node:test'
import { deed, scratch } from './records.ts'

function openScratch(t: TestContext) {
  const folder = scratch()
  const path = join(folder, 'v.db')
  const store = openSqlite(path)
  t.after(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  return { store, path }
}

test('gathered lines join the chain in their order', async (t) => {
  const { store } = openScratch(t)
  await store.audit.append([deed('a.one')])
  const done = [store.audit.gather([deed('read'), deed('read')]), store.audit.append([deed('a.two')])]
  await Promise.all([...done, store.audit.gather([deed('read')])])
  assert.deepEqual(
    (await store.audit.page({ limit: 9 })).map(({ act }) => act),
    ['read', 'a.two', 'read', 'read', 'a.one'],
  )
  assert.deepEqual(await store.audit.verify(), { lines: 5, brokenAt: undefined })
})

test('the event loop is free while gathered lines are written', async (t) => {
  const { store } = openScratch(t)
  await store.audit.gather([])
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const lines = Array.from({ length: 20_000 }, () => deed('read'))
  const writing = store.audit.gather(lines)
  const before = turns
  await writing
  clearInterval(timer)
  assert.ok(turns - before >= 3, `${turns - before} turns`)
  assert.equal(await store.audit.head(), 20_000)
})

test('lines that cannot be gathered are refused, and taken when they can be; what was answered before is kept', async (t) => {
  const { store, path } = openScratch(t)
  await store.audit.gather([deed('read')])
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  await assert.rejects(store.audit.gather([deed('read')]), { code: 'store_unavailable', cause: /locked/ })
  other.exec('ROLLBACK')
  other.close()
  await store.audit.gather([deed('read')])
  assert.deepEqual(await store.audit.verify(), { lines: 2, brokenAt: undefined })
})

test('a closed store gathers nothing', async (t) => {
  const { store } = openScratch(t)
  await store.audit.gather([deed('read')])
  await store.close()
  await assert.rejects(store.audit.gather([deed('read')]), { code: 'store_unavailable' })
})
