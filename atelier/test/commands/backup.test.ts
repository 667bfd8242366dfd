import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test, { type TestContext } from 'node:test'
import { openStore } from '../../src/store/store.ts'

function installation(t: TestContext, settings: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-backup-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const config = join(folder, 'atelier.json')
  const ssh = { hostKeyFile: 'host_key' }
  writeFileSync(config, JSON.stringify({ listen: '127.0.0.1:1', store: 'sqlite:a.db', ssh, ...settings }))
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('bin/atelier', [...args, '--config', config], {
      encoding: 'utf8',
      timeout: 30_000,
    })
    return { status, stdout, stderr }
  }
  return { folder, run, at: (name: string) => join(folder, name) }
}

const session = (byte: number) => ({
  digest: Buffer.alloc(32, byte),
  account: 'acc_x',
  createdAt: 1,
  usedAt: 1,
  endsAt: 9e12,
})

test('a backup of a store in use can be restored once nothing uses it, and no session survives', async (t) => {
  const { run, at } = installation(t)
  writeFileSync(at('host_key'), 'the host key', { mode: 0o600 })
  const store = await openStore(`sqlite:${at('a.db')}`)
  await store.db.claim?.({ waits: () => {} })
  await store.accounts.add({ id: 'acc_x', email: 'a@x.org', password: undefined, createdAt: 1 })
  await store.sessions.add(session(1))
  const made = run('backup', '--to', at('copy'))
  assert.equal(made.status, 0, made.stderr)
  assert.deepEqual(JSON.parse(made.stdout), { accounts: 1, api_keys: 0, containers: 0, images: 0 })
  assert.deepEqual(readdirSync(at('copy')).toSorted(), ['atelier.db', 'ssh_host_ed25519'])
  const modes = ['copy', 'copy/atelier.db', 'copy/ssh_host_ed25519'].map((name) => statSync(at(name)).mode & 0o777)
  assert.deepEqual(modes, [0o700, 0o600, 0o600])
  const again = run('backup', '--to', at('copy'))
  assert.deepEqual([again.status, /is not empty/.test(again.stderr)], [1, true])
  const inUse = run('restore', '--from', at('copy'))
  assert.deepEqual([inUse.status, /served by another service/.test(inUse.stderr)], [1, true])
  await store.accounts.add({ id: 'acc_y', email: 'b@x.org', password: undefined, createdAt: 2 })
  await store.close()
  rmSync(at('host_key'))

  const restored = run('restore', '--from', at('copy'))
  assert.equal(restored.status, 0, restored.stderr)
  assert.match(restored.stderr, /all sessions are ended/)
  assert.equal(readFileSync(at('host_key'), 'utf8'), 'the host key')
  const after = await openStore(`sqlite:${at('a.db')}`)
  assert.deepEqual((await after.accounts.list()).map(({ email }) => email), ['a@x.org']) // prettier-ignore
  assert.equal(await after.sessions.find(session(1).digest), undefined)
  await after.close()
  const earlier = readdirSync(at('.')).find((name) => /^a\.db\.before-\d+$/.test(name)) ?? ''
  const kept = await openStore(`sqlite:${at(earlier)}`)
  assert.equal((await kept.accounts.list()).length, 2, 'the earlier store is whole')
  await kept.close()
})

test('a copy that is damaged, foreign, newer or missing is refused, and the store stays as it was', async (t) => {
  const { run, at } = installation(t)
  const store = await openStore(`sqlite:${at('a.db')}`)
  await store.accounts.add({ id: 'acc_x', email: 'a@x.org', password: undefined, createdAt: 1 })
  await store.close()
  assert.equal(run('backup', '--to', at('copy')).status, 0)
  const copy = at('copy/atelier.db')
  copyFileSync(copy, at('good.db'))
  const spoil = (sql: string) => {
    copyFileSync(at('good.db'), copy)
    const db = new DatabaseSync(copy)
    db.exec(sql)
    db.close()
  }
  const bytes = readFileSync(at('good.db'))
  const cases: readonly [string, () => void][] = [
    ['cannot be used', () => writeFileSync(copy, bytes.fill(7, 4_096))],
    ['cannot be used', () => writeFileSync(copy, 'no database')],
    ['it is no store of this service', () => spoil('PRAGMA user_version = 0')],
    ['use a newer one', () => spoil('PRAGMA user_version = 9999')],
    ['There is no', () => rmSync(copy)],
  ]
  for (const [said, prepare] of cases) {
    prepare()
    const { status, stderr } = run('restore', '--from', at('copy'))
    assert.deepEqual([status, stderr.includes(said)], [1, true], stderr)
  }
  const { stdout } = run('accounts', 'list')
  assert.match(stdout, /a@x\.org/)
  assert.deepEqual(readdirSync(at('.')).filter((name) => /before|new/.test(name)), []) // prettier-ignore
})

test('a store in PostgreSQL is left to its own tools, and none is invented where there is none', (t) => {
  const { run, at } = installation(t, { store: 'postgres://x@127.0.0.1:1/none' })
  assert.match(run('backup', '--to', at('copy')).stderr, /pg_dump/)
  assert.match(run('restore', '--from', at('copy')).stderr, /pg_restore/)
  const empty = installation(t)
  const { status, stderr } = empty.run('backup', '--to', empty.at('copy'))
  assert.deepEqual([status, /There is no store/.test(stderr)], [1, true])
})

test('the operator lists the keys of all accounts, without their text, and revokes one by id or prefix', async (t) => {
  const { run } = installation(t)
  for (const email of ['a@x.org', 'b@x.org']) assert.equal(run('accounts', 'create', '--email', email).status, 0)
  const make = (email: string) => run('keys', 'create', '--account', email, '--name', 'ci').stdout.trim()
  const [first, second] = [make('a@x.org'), make('b@x.org')]
  const list = () => JSON.parse(run('keys', 'list').stdout) as { id: string; email: string; prefix: string; revokedAt: unknown }[] // prettier-ignore
  const listed = list()
  assert.deepEqual(listed.map(({ email }) => email).toSorted(), ['a@x.org', 'b@x.org'])
  assert.ok(!JSON.stringify(listed).includes(first.slice(13)) && !JSON.stringify(listed).includes(second.slice(13)))
  const [one, other] = listed
  assert.equal(run('keys', 'revoke', '--key', one?.id ?? '').status, 0)
  assert.equal(run('keys', 'revoke', '--key', other?.prefix ?? '').status, 0)
  assert.ok(list().every(({ revokedAt }) => typeof revokedAt === 'string'))
  const { status, stderr } = run('keys', 'revoke', '--key', 'key_none')
  assert.deepEqual([status, /there is no such key/.test(stderr)], [1, true])
})
