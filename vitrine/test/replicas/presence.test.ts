import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { openPresence } from '../../../base/redis/presence.ts'
import { openShared } from '../../src/replicas/shared.ts'
import { openStore } from '../../src/store/open.ts'
import type { ReplicaRecords } from '../../../base/core/replica-records.ts'
import { askPostgres, freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { until } from '../../../base/test/until.ts'

const skip = noPostgres
const everyMs = 50

async function startStore(t: TestContext) {
  const database = await freshDatabase()
  const store = await openStore(database.url)
  t.after(async () => {
    await store.close()
    await database.drop()
  })
  return { store, records: store.replicas, ask: (text: string) => askPostgres(database.url, text) }
}

const silence = `UPDATE replicas SET seen_at = seen_at - 10001 WHERE id = 'killed'`

test('replicas know how many they are, as others come, end, and are killed', { skip }, async (t) => {
  const { records, ask } = await startStore(t)
  const first = await openPresence({ records, everyMs })
  assert.equal(first.count(), 1)
  const second = await openPresence({ records, everyMs })
  assert.equal(second.count(), 2)
  await until(() => first.count() === 2)
  await second.close()
  await until(() => first.count() === 1)

  await records.beat('killed')
  await until(() => first.count() === 2)
  await ask(silence)
  await until(() => first.count() === 1)
  await first.close()
  assert.deepEqual(await ask('SELECT id FROM replicas'), [{ id: 'killed' }])
})

test('stale rows are removed, and a clock that was set back keeps no replica alive', { skip }, async (t) => {
  const { records, ask } = await startStore(t)
  for (const id of ['stale', 'ahead', 'here']) await records.beat(id)
  await ask(`UPDATE replicas SET seen_at = seen_at - 70000 WHERE id = 'stale'`)
  await ask(`UPDATE replicas SET seen_at = seen_at + 3600000 WHERE id = 'ahead'`)
  assert.equal(await records.count(), 1)
  assert.equal(await records.beat('here'), 1)
  assert.deepEqual(await ask('SELECT id FROM replicas'), [{ id: 'here' }])
})

test('while the database is down, the last count stays', async () => {
  let [answers, asked] = [true, 0]
  const beat = async () => {
    asked++
    if (!answers) throw new Error('gone')
    return 3
  }
  const records: ReplicaRecords = { beat, count: beat, leave: () => Promise.reject(new Error('gone')) }
  const presence = await openPresence({ records, everyMs: 5 })
  answers = false
  const before = asked
  await until(() => asked > before + 2)
  assert.equal(presence.count(), 3)
  await presence.close()
})

test('a replica that ends during its own report is not counted afterwards', { skip }, async (t) => {
  const { records } = await startStore(t)
  const slow: ReplicaRecords = {
    ...records,
    async beat(id) {
      await new Promise((ok) => setTimeout(ok, 30))
      return records.beat(id)
    },
  }
  const presence = await openPresence({ records: slow, everyMs: 1 })
  await new Promise((ok) => setTimeout(ok, 10))
  await presence.close()
  await new Promise((ok) => setTimeout(ok, 80))
  assert.equal(await records.count(), 0)
})

test('over SQLite there is one replica, which shares nothing', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-alone-'))
  const store = await openStore(`sqlite:${join(folder, 'store.db')}`)
  t.after(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const [steady, observe] = [() => performance.now(), () => {}]
  const parts = { store, redis: undefined, outageSeconds: 300, now: Date.now, steady, observe }
  const upstream = { concurrency: 1, totalMs: 1_000 }
  const shared = await openShared({ ...parts, upstream })
  assert.equal(shared.presence.count(), 1)
  assert.equal(await store.replicas.count(), 0)
  await shared.close()
})

test('after the database was down, no replica counts as gone before it could report again', async () => {
  let answer = async () => 2
  const records = { beat: () => answer(), count: () => answer(), leave: async () => {} }
  const presence = await openPresence({ records, everyMs: 10, returnMs: 400 })
  assert.equal(presence.count(), 2)
  let failed = 0
  answer = () => Promise.reject(new Error(`away ${failed++}`))
  await until(() => failed > 1)
  let asked = 0
  answer = async () => (asked++, 1)
  await until(() => asked > 2)
  assert.equal(presence.count(), 2)
  await until(() => presence.count() === 1)
  await presence.close()
})
