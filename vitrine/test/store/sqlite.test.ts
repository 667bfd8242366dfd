// The embedded store's file: long because a file can go wrong in many ways.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { migrations } from '../../src/store/migrations.ts'
import { openDatabase, openSqlite } from '../../src/store/open.ts'
import { storeOver } from '../../src/store/store.ts'
import { connectionRecord, deed, keyRecord, scratch } from './records.ts'

const refused = { code: 'store_unavailable' }
const made = deed('keys.create')

const inFolder = (title: string, act: (path: string, folder: string) => Promise<void>) =>
  void test(title, async () => {
    const folder = scratch()
    try {
      await act(join(folder, 'v.db'), folder)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

inFolder('the file is for its owner alone', async (path) => {
  const store = openSqlite(path)
  await store.keys.add(keyRecord('k1'), made)
  for (const file of [path, `${path}-wal`, `${path}-shm`]) assert.equal(statSync(file).mode & 0o77, 0, file)
  await store.close()
})

inFolder('a newer schema, or a file that is no store, is refused and left as it is', async (path, folder) => {
  const db = new DatabaseSync(path)
  db.exec(`PRAGMA user_version = ${migrations.length + 1}`)
  db.close()
  const newer = readFileSync(path)
  assert.throws(() => openSqlite(path), /schema 11, and this version of Vitrine knows 10: use a newer one/)
  assert.deepEqual(readFileSync(path), newer)
  const garbage = join(folder, 'garbage.db')
  writeFileSync(garbage, "not a database, but somebody's notes".repeat(200))
  const before = readFileSync(garbage, 'utf8')
  assert.throws(() => openSqlite(garbage), /is damaged, or no store: file is not a database/)
  assert.equal(readFileSync(garbage, 'utf8'), before)
  for (const file of [path, garbage]) assert.ok(!existsSync(`${file}-wal`))
})

/** a store as the first version has left it, with two keys */
function firstVersion(path: string) {
  const db = new DatabaseSync(path)
  db.exec(`PRAGMA journal_mode = WAL; ${migrations[0]?.sqlite ?? ''} PRAGMA user_version = 1`)
  const add = db.prepare('INSERT INTO keys VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  for (const id of ['k1', 'k2']) add.run(id, 'old', new Uint8Array(32).fill(1), '["a"]', '["apps"]', 5, 1, null, null)
  return db
}

inFolder('a store of the first version is brought up to date, and its keys stay', async (path) => {
  firstVersion(path).close()
  const store = openSqlite(path)
  const [key, other] = await store.keys.list()
  assert.deepEqual([key?.id, key?.perMinute, key?.note, key?.lastUsedAt, other?.id], ['k1', 5, null, null, 'k2'])
  assert.deepEqual([key?.personal, key?.expiresAt], [true, null], 'it is shown what it was shown')
  await store.connections.add(connectionRecord('c1'), deed('connections.create'))
  assert.equal(await store.audit.head(), 1)
  await store.close()
})

inFolder('a migration that fails in the middle leaves the old version whole', async (path) => {
  const db = firstVersion(path)
  db.exec('CREATE TABLE audit (something TEXT)')
  assert.throws(() => openSqlite(path), /cannot be opened: table audit already exists/)
  const columns = db.prepare('SELECT name FROM pragma_table_info(?)').all('keys')
  assert.equal(columns.length, 9)
  assert.equal(db.prepare('PRAGMA user_version').get()?.['user_version'], 1)
  db.exec('DROP TABLE audit')
  db.close()
  await openSqlite(path).close()
})

/** another process; `script` is a module, and says a line when it is there */
async function child(script: string) {
  const process = spawn(globalThis.process.execPath, ['--input-type=module', '-e', script], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  return { process, ended: once(process, 'exit') as Promise<[number | null]>, ready: once(process.stdout, 'data') }
}

inFolder('four processes over a new file make one store', async (path) => {
  const script = `const { openSqlite } = await import('./src/store/open.ts')
    const store = openSqlite(${JSON.stringify(path)})
    const deed = { at: 1, who: 'w', from: 'f', requestId: null, act: 'a.b', target: null, outcome: 'done', details: {} }
    for (let n = 0; n < 10; n++) await store.audit.append([deed])
    await store.close()`
  const all = await Promise.all([1, 2, 3, 4].map(() => child(script)))
  for (const { ended } of all) assert.deepEqual((await ended)[0], 0)
  const store = openSqlite(path)
  assert.deepEqual(await store.audit.verify(), { lines: 40, brokenAt: undefined })
  await store.close()
})

inFolder(
  'while another process holds the lock reads are answered, writes are refused, and nobody else waits',
  async (path) => {
    const store = openSqlite(path)
    await store.keys.add(keyRecord('k1'), made)
    const holder = await child(`const { DatabaseSync } = await import('node:sqlite')
    const db = new DatabaseSync(${JSON.stringify(path)})
    db.exec('BEGIN IMMEDIATE')
    console.log('held')
    process.stdin.once('data', () => { db.exec('ROLLBACK'); db.close(); process.exit() })`)
    await holder.ready
    let [beats, began] = [0, performance.now()]
    const pulse = setInterval(() => beats++, 10)
    const writes = Array.from({ length: 20 }, (_, n) => store.keys.add(keyRecord(`n${n}`), made))
    assert.equal((await store.keys.find('k1'))?.id, 'k1')
    for (const write of await Promise.allSettled(writes))
      assert.deepEqual(write.status === 'rejected' && (write.reason as { cause: unknown }).cause, 'database is locked')
    clearInterval(pulse)
    assert.ok(performance.now() - began < 2_000, 'the waits do not add up')
    assert.ok(beats > 20, `the event loop went on: ${beats}`)
    began = performance.now()
    const late = store.keys.add(keyRecord('k2'), made)
    holder.process.stdin.write('go')
    await late
    await holder.ended
    assert.equal((await store.keys.list()).length, 2)
    await store.close()
  },
)

/** a disk of half a megabyte where one can be mounted, else a limit of the database's own */
async function smallDisk(folder: string) {
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  const mount = (...args: string[]) => execFileSync('mount', [...args, disk], { stdio: 'ignore' })
  try {
    mount('-t', 'tmpfs', '-o', 'size=512k', 'tmpfs')
  } catch {
    const db = await openDatabase(`sqlite:${join(disk, 'v.db')}`)
    const limit = (pages: number) => db.transaction((sql) => sql.all(`PRAGMA max_page_count = ${pages}`))
    await limit(60)
    return { store: storeOver(db), relieve: () => limit(10_000), end: () => undefined }
  }
  return {
    store: openSqlite(join(disk, 'v.db')),
    relieve: async () => mount('-o', 'remount,size=8m'),
    end: () => execFileSync('umount', [disk], { stdio: 'ignore' }),
  }
}

inFolder(
  'a full disk refuses what does not fit, keeps all that was, and goes on when there is room',
  async (_, folder) => {
    const { store, relieve, end } = await smallDisk(folder)
    try {
      const add = (id: string) => store.keys.add(keyRecord(id, { name: 'n'.repeat(5_000) }), made)
      let kept = 0
      const fill = async () => {
        for (;;) {
          await add(`k${kept}`)
          kept++
        }
      }
      await assert.rejects(fill, { code: 'store_unavailable', cause: /full|disk I\/O/ })
      assert.ok(kept > 5, String(kept))
      for (let n = 0; n < 5; n++) await assert.rejects(() => add('more'), refused)
      assert.equal((await store.keys.list()).length, kept)
      assert.equal((await store.keys.find('k1'))?.id, 'k1')
      assert.deepEqual(await store.audit.verify(), { lines: kept, brokenAt: undefined })
      await relieve()
      await add('more')
      assert.equal(await store.audit.head(), kept + 1)
    } finally {
      await store.close()
      end()
    }
  },
)

inFolder('a file that may only be read is refused with words, and left as it is', async (path, folder) => {
  await openSqlite(path).close()
  const before = readFileSync(path)
  chmodSync(path, 0o444)
  const root = process.geteuid?.() === 0
  chmodSync(folder, 0o755)
  if (root) for (const file of [folder, path]) chownSync(file, 65_534, 65_534)
  if (root) process.seteuid?.(65_534)
  try {
    assert.throws(() => openSqlite(path), /The store .* cannot be opened: EACCES/)
  } finally {
    if (root) process.seteuid?.(0)
  }
  assert.deepEqual(readFileSync(path), before)
})

inFolder('F150: a store that cannot be read is a 503 for the caller, and no crash', async (path) => {
  const first = openSqlite(path)
  for (let n = 0; n < 200; n++) await first.keys.add(keyRecord(`k${n}`), made)
  await first.close()
  const bytes = readFileSync(path)
  const store = openSqlite(path)
  // all but the first page, which identifies a store
  writeFileSync(path, Buffer.concat([bytes.subarray(0, 4_096), Buffer.alloc(bytes.length - 4_096, 0x5a)]), {
    flag: 'r+',
  })
  await assert.rejects(() => store.keys.find('k7'), refused)
  await assert.rejects(() => store.keys.add(keyRecord('x'), made), refused)
  await assert.rejects(() => store.check(), refused)
  writeFileSync(path, bytes, { flag: 'r+' })
  assert.equal((await store.keys.find('k7'))?.id, 'k7')
  await store.keys.add(keyRecord('x'), made)
  await store.close()
})

inFolder('what was removed, replaced or wrapped anew is soon in none of the files', async (path) => {
  const store = openSqlite(path)
  const secret = (n: number) => `SEALED${String(n).padStart(4, '0')}`
  const bytes = (n: number, times: number) => new TextEncoder().encode(secret(n).repeat(times))
  const all = Array.from({ length: 120 }, (_, n) =>
    connectionRecord(`c${n}`, { sealed: bytes(n, 20 + n), wrapped: bytes(1_000 + n, 6) }),
  )
  for (const one of all) await store.connections.add(one, deed('connections.create'))
  const contents = () =>
    [path, `${path}-wal`].map((file) => (existsSync(file) ? readFileSync(file, 'latin1') : '')).join('\n')
  assert.ok(contents().includes(secret(7)))
  for (const one of all.slice(0, 60)) await store.connections.remove(one.id, one, deed('connections.remove'))
  for (const one of all.slice(60, 90))
    await store.connections.replace(
      { ...one, version: 2, sealed: new Uint8Array(90).fill(1) },
      one,
      deed('connections.replace'),
    )
  await store.connections.rewrap(
    all.slice(60).map(({ id, wrapped }) => ({ id, from: wrapped, masterKey: 'm2', wrapped: new Uint8Array(60) })),
  )
  await pause(500)
  const left = contents()
  const found = all.keys().filter((n) => left.includes(secret(n)))
  assert.deepEqual(
    [...found],
    Array.from({ length: 30 }, (_, n) => 90 + n),
  )
  assert.doesNotMatch(left, /SEALED1/)
  assert.equal(statSync(`${path}-wal`).size, 0)
  // a command removes one and ends at once, while the service goes on
  const command = openSqlite(path)
  await command.connections.remove('c99', { epoch: 'e1', version: 1 }, deed('connections.remove'))
  await command.close()
  assert.ok(!contents().includes(secret(99)))
  await store.close()
})

inFolder(
  'a file that was replaced under a running service is noticed, and nothing more goes to the old one',
  async (path, folder) => {
    const store = openSqlite(path)
    await store.keys.add(keyRecord('k1'), made)
    renameSync(path, join(folder, 'old.db'))
    const other = openSqlite(path)
    await pause(1_100)
    await assert.rejects(() => store.check(), refused)
    await assert.rejects(() => store.keys.find('k1'), refused)
    await assert.rejects(() => store.keys.revoke('k1', 1, made), refused)
    await store.close()
    await other.close()
  },
)

inFolder('a journal that was removed under a running service is noticed too', async (path) => {
  const store = openSqlite(path)
  await store.keys.add(keyRecord('k1'), made)
  for (const file of [`${path}-wal`, `${path}-shm`]) rmSync(file)
  await pause(1_100)
  await assert.rejects(() => store.keys.find('k1'), refused)
  await store.close()
})

inFolder('a store that only answers writes nothing, so it opens beside a writer that holds the lock', async (path) => {
  await openSqlite(path).close()
  const writer = new DatabaseSync(path)
  writer.exec('BEGIN IMMEDIATE')
  const store = openSqlite(path)
  assert.deepEqual(await store.keys.list(), [])
  await store.close()
  writer.exec('ROLLBACK')
  writer.close()
})
