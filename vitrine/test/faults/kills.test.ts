// Programs that are killed at the start of each system call that changes the store's files, one after the other. Kills of a
// running service, at random moments: test/stored-connections/kill.test.ts and rotation.test.ts.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test, { type TestContext } from 'node:test'
import { fingerprintOf } from '../../src/connections/credential.ts'
import { readMasterKeys } from '../../src/connections/master-keys.ts'
import { createVault } from '../../src/connections/vault.ts'
import { inspectStore } from '../../src/store/inspect.ts'
import { migrations } from '../../src/store/migrations.ts'
import { openStore } from '../../src/store/open.ts'
import { full, makePair, masterKeys } from '../stored-connections/program.ts'
import { findCanaries, pemCanaries } from '../support/canaries.ts'
import { noTrace, runUntil } from './trace.ts'

/** all of them in the full size, otherwise some of each kind, from a random start */
const strides: Readonly<Record<string, number>> = full
  ? { pwrite64: 1, fsync: 1, ftruncate: 1, unlink: 1 }
  : { pwrite64: 6, fsync: 2, ftruncate: 2, unlink: 2 }

interface Scene {
  readonly folder: string
  readonly data: string
  readonly files: readonly string[]
}

function makeScene(t: TestContext, secret: string): Scene {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-kills-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const data = join(folder, 'data')
  mkdirSync(data)
  writeFileSync(join(folder, 'keys.txt'), secret, { mode: 0o600 })
  writeFileSync(
    join(folder, 'vitrine.json'),
    JSON.stringify({ store: 'sqlite:data/v.db', masterKeysFile: 'keys.txt', operatorListen: 'off' }),
  )
  return { folder, data, files: ['v.db', 'v.db-wal', 'v.db-shm', 'v.db-journal'].map((name) => join(data, name)) }
}

const faultsIn = async ({ data }: Scene) => (await inspectStore(`sqlite:${join(data, 'v.db')}`)).filter(({ ok }) => !ok)

/** kills `attempt` at one call after the other until it makes no more of this kind; returns how often */
async function killAtEach(attempt: (death: { call: string; at: number }) => Promise<boolean>): Promise<number> {
  let kills = 0
  for (const [call, stride] of Object.entries(strides))
    for (let at = 1 + Math.floor(Math.random() * stride); await attempt({ call, at }); at += stride) kills++
  return kills
}

test('F170: a create that is killed at any write leaves a whole row or none', { skip: noTrace }, async (t) => {
  const { pem } = makePair()
  const secret = masterKeys('k1')
  const scene = makeScene(t, secret)
  const { folder, data, files } = scene
  writeFileSync(join(folder, 'key.p8'), pem, { mode: 0o600 })
  const vault = createVault(readMasterKeys(secret))
  const canaries = pemCanaries('the key', pem)
  let [n, whole, acknowledged] = [0, 0, 0]
  const kills = await killAtEach(async (death) => {
    const id = `c${n++}`
    const args = ['connections', 'add', id, '--key-id', 'KEY1000000', '--key-file', 'key.p8', '--no-check']
    const { killed, out, err } = await runUntil(folder, args, { ...death, files })
    for (const name of readdirSync(data)) assert.deepEqual(findCanaries(readFileSync(join(data, name)), canaries), [])
    const store = await openStore(`sqlite:${join(data, 'v.db')}`)
    const row = await store.connections.find(id)
    const created = await store.audit.page({ limit: 9, act: 'connections.create', target: id })
    await store.close()
    assert.equal(created.length, row ? 1 : 0, 'its line came with it')
    if (row) assert.equal(fingerprintOf(vault.open(row)), row.fingerprint)
    if (out !== '' || !killed) assert.ok(row, `${id} was acknowledged: ${out}${err}`)
    if (row) whole++
    if (out !== '') acknowledged++
    assert.deepEqual(await faultsIn(scene), [])
    return killed
  })
  assert.ok(kills >= 6, `${kills} kills`)
  assert.ok(whole > 0 && whole < n, `${whole} of ${n} rows`)
  t.diagnostic(`${kills} kills: ${whole} of ${n} rows are there, ${acknowledged} were acknowledged`)
})

test(
  'F172: a migration that is killed at any write is complete, or completed by the next start',
  { skip: noTrace },
  async (t) => {
    const scene = makeScene(t, masterKeys('k1'))
    const { folder, data, files } = scene
    const old = join(folder, 'old.db')
    const db = new DatabaseSync(old)
    db.exec(`${migrations[0]?.sqlite ?? ''} PRAGMA user_version = 1`)
    const add = db.prepare('INSERT INTO keys VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
    for (let id = 0; id < 200; id++)
      add.run(`k${id}`, 'old', new Uint8Array(32).fill(1), '["a"]', '["apps"]', 5, 1, null, null)
    db.close()
    const versions: number[] = []
    const kills = await killAtEach(async (death) => {
      rmSync(data, { recursive: true })
      mkdirSync(data)
      cpSync(old, join(data, 'v.db'))
      const { killed, err } = await runUntil(folder, ['store', 'migrate'], { ...death, files })
      const look = new DatabaseSync(join(data, 'v.db'))
      const version = Number(look.prepare('PRAGMA user_version').get()?.['user_version'])
      look.close()
      assert.ok(version === 1 || version === migrations.length, `schema ${version}`)
      if (!killed) assert.equal(version, migrations.length, err)
      versions.push(version)
      const store = await openStore(`sqlite:${join(data, 'v.db')}`)
      const keys = await store.keys.list()
      await store.close()
      assert.equal(keys.length, 200)
      for (const { name, perMinute, note } of keys) assert.deepEqual([name, perMinute, note], ['old', 5, null])
      assert.deepEqual(await faultsIn(scene), [])
      return killed
    })
    assert.ok(kills >= 6, `${kills} kills`)
    assert.ok(versions.includes(1) && versions.includes(migrations.length))
    t.diagnostic(`${kills} kills, which left schema ${versions.join(' ')}`)
  },
)
