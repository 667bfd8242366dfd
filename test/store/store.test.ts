import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { migrations } from '../../src/store/migrations.ts'
import type { KeyRecord, Store } from '../../src/store/records.ts'
import { openSqlite } from '../../src/store/sqlite.ts'

const record = (id: string, more: Partial<KeyRecord> = {}): KeyRecord => ({
  id,
  name: `key ${id} 🎉`,
  digest: new Uint8Array(32).fill(7),
  connections: ['a', 'b'],
  groups: ['apps'],
  perMinute: null,
  createdAt: 1,
  expiresAt: null,
  revokedAt: null,
  ...more,
})

const scratch = () => mkdtempSync(join(tmpdir(), 'vitrine-store-'))

/** what any driver keeps; `open` opens the same store again each time */
function keepsItsPromises(name: string, open: (folder: string) => Store) {
  const within = (title: string, act: (open: () => Store) => Promise<void>) =>
    void test(`${name}: ${title}`, async () => {
      const folder = scratch()
      await act(() => open(folder))
      rmSync(folder, { recursive: true })
    })

  within('a key comes back as it was added, after a restart too', async (open) => {
    const whole = record('k1', { perMinute: 9, expiresAt: 2 ** 45, createdAt: 2 ** 44 })
    const first = open()
    await first.keys.add(whole)
    await first.close()
    const second = open()
    const found = await second.keys.find('k1')
    assert.deepEqual({ ...found, digest: [...(found?.digest ?? [])] }, { ...whole, digest: [...whole.digest] })
    assert.equal(await second.keys.find('K1'), undefined)
    await second.close()
  })

  within('keys are listed oldest first', async (open) => {
    const store = open()
    for (const [id, createdAt] of [
      ['c', 3],
      ['a', 1],
      ['b', 2],
    ] as const)
      await store.keys.add(record(id, { createdAt }))
    assert.deepEqual(
      (await store.keys.list()).map(({ id }) => id),
      ['a', 'b', 'c'],
    )
    await store.close()
  })

  within('a key is revoked once, and the moment stays', async (open) => {
    const store = open()
    await store.keys.add(record('k1'))
    assert.deepEqual(
      [await store.keys.revoke('k1', 5), await store.keys.revoke('k1', 6), await store.keys.revoke('k2', 5)],
      [true, false, false],
    )
    assert.equal((await store.keys.find('k1'))?.revokedAt, 5)
    await store.close()
  })

  within('an id is taken once', async (open) => {
    const store = open()
    await store.keys.add(record('k1'))
    await assert.rejects(() => store.keys.add(record('k1', { name: 'other' })), { code: 'store_unavailable' })
    assert.equal((await store.keys.list()).length, 1)
    await store.close()
  })

  within('a secret is made once for everybody, and differs by name', async (open) => {
    const [one, two] = [open(), open()]
    const [a, b, other] = [await one.secret('cursor'), await two.secret('cursor'), await one.secret('other')]
    assert.equal(a.length, 32)
    assert.deepEqual(a, b)
    assert.notDeepEqual(a, other)
    await one.close()
    await two.close()
  })

  within('what one process writes, another sees at once', async (open) => {
    const [one, two] = [open(), open()]
    await one.keys.add(record('k1'))
    assert.ok(await two.keys.find('k1'))
    await two.keys.revoke('k1', 9)
    assert.equal((await one.keys.find('k1'))?.revokedAt, 9)
    await one.close()
    await two.close()
  })
}

keepsItsPromises('sqlite', (folder) => openSqlite(join(folder, 'deep', 'v.db')))

test('the file is for its owner alone', async () => {
  const folder = scratch()
  const store = openSqlite(join(folder, 'v.db'))
  await store.keys.add(record('k1'))
  for (const file of ['v.db', 'v.db-wal', 'v.db-shm']) assert.equal(statSync(join(folder, file)).mode & 0o77, 0, file)
  await store.close()
  rmSync(folder, { recursive: true })
})

test('a newer schema, or a file that is no store, is refused and left as it is', () => {
  const folder = scratch()
  const newer = join(folder, 'newer.db')
  const db = new DatabaseSync(newer)
  db.exec(`PRAGMA user_version = ${migrations.length + 1}`)
  db.close()
  assert.throws(() => openSqlite(newer), /schema 2, and this version of Vitrine knows 1: use a newer one/)
  const garbage = join(folder, 'garbage.db')
  writeFileSync(garbage, "not a database, but somebody's notes".repeat(200))
  const before = readFileSync(garbage, 'utf8')
  assert.throws(() => openSqlite(garbage), /cannot be opened: file is not a database/)
  assert.equal(readFileSync(garbage, 'utf8'), before)
  assert.ok(!existsSync(`${garbage}-wal`))
  rmSync(folder, { recursive: true })
})

test('a store that cannot be read is a 503 for the caller, and no crash', async () => {
  const folder = scratch()
  const store = openSqlite(join(folder, 'v.db'))
  await store.close()
  await assert.rejects(() => store.keys.find('k1'), { code: 'store_unavailable' })
  await assert.rejects(() => store.check(), { code: 'store_unavailable' })
  rmSync(folder, { recursive: true })
})

test('a file that was replaced under a running service is noticed, and nothing more is read from the old one', async () => {
  const folder = scratch()
  const path = join(folder, 'v.db')
  const store = openSqlite(path)
  await store.keys.add(record('k1'))
  renameSync(path, join(folder, 'old.db'))
  const other = openSqlite(path)
  await new Promise((ok) => setTimeout(ok, 1_100))
  await assert.rejects(() => store.check(), { code: 'store_unavailable' })
  await assert.rejects(() => store.keys.find('k1'), { code: 'store_unavailable' })
  await store.close()
  await other.close()
  rmSync(folder, { recursive: true })
})

test('a journal that was removed under a running service is noticed too', async () => {
  const folder = scratch()
  const path = join(folder, 'v.db')
  const store = openSqlite(path)
  await store.keys.add(record('k1'))
  for (const file of [`${path}-wal`, `${path}-shm`]) rmSync(file)
  await new Promise((ok) => setTimeout(ok, 1_100))
  await assert.rejects(() => store.keys.find('k1'), { code: 'store_unavailable' })
  await store.close()
  rmSync(folder, { recursive: true })
})

test('a store that only answers writes nothing, so it opens beside a writer that holds the lock', async () => {
  const folder = scratch()
  const path = join(folder, 'v.db')
  await openSqlite(path).close()
  const writer = new DatabaseSync(path)
  writer.exec('BEGIN IMMEDIATE')
  const store = openSqlite(path)
  assert.deepEqual(await store.keys.list(), [])
  await store.close()
  writer.exec('ROLLBACK')
  writer.close()
  rmSync(folder, { recursive: true })
})
