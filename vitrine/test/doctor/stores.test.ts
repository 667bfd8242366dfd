// The checks of stores. Long because each fault of a store has its test.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { judgeModes } from '../../src/doctor/file-check.ts'
import { openStore } from '../../src/store/open.ts'
import { askPostgres, freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { startScriptedPlatform } from '../support/scripted-platform.ts'
import { clean, examine, findCheck, problemsIn, install, makeFolder, prepare, stateOf } from './scene.ts'
import { freePort } from '../../../base/test/free-port.ts'

/** `vitrine serve` with these settings, ready */
async function serve(t: TestContext, config: string, url: string, env: Record<string, string> = {}) {
  const child = spawn(resolve('bin/vitrine'), ['serve', '--config', config], {
    env: { ...clean(), VITRINE_LOG: 'off', ...env },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  })
  for (const endsAt = Date.now() + 20_000; Date.now() < endsAt; await sleep(30)) {
    const ready = await fetch(`${url}/readyz`).catch(() => undefined)
    await ready?.arrayBuffer()
    if (ready?.status === 200) return { child, ended }
  }
  throw new Error('the service does not start')
}

async function withPorts(config: string, more: Record<string, unknown> = {}) {
  const [port, operatorPort] = [await freePort(), await freePort()]
  const settings = JSON.parse(readFileSync(config, 'utf8'))
  const endpoints = { listen: `127.0.0.1:${port}`, operatorListen: `127.0.0.1:${operatorPort}` }
  writeFileSync(config, JSON.stringify({ ...settings, ...endpoints, ...more }))
  return { url: `http://127.0.0.1:${port}`, port, operatorPort }
}

test('beside a running service every check passes, its ports are recognized, and the store is unchanged', async (t) => {
  const { config, folder } = await prepare(t, 'none')
  const { url, port, operatorPort } = await withPorts(config)
  await serve(t, config, url)
  const before = ['vitrine.db', 'vitrine.db-wal'].map((name) => readFileSync(join(folder, name)))
  const told = await examine(config)
  assert.deepEqual([told.code, problemsIn(told)], [0, []])
  const endpoints = `a Vitrine service answers at 127.0.0.1:${port}, a Vitrine service answers at 127.0.0.1:${operatorPort}.`
  assert.equal(findCheck(told, 'doors').says, endpoints)
  assert.deepEqual(
    ['vitrine.db', 'vitrine.db-wal'].map((name) => readFileSync(join(folder, name))),
    before,
  )
  assert.equal((await fetch(`${url}/readyz`)).status, 200)
})

test('the journal of a killed service is read and left unchanged', async (t) => {
  const { config, folder } = await prepare(t, 'none')
  const { url } = await withPorts(config)
  const { child, ended } = await serve(t, config, url)
  child.kill('SIGKILL')
  await ended
  const left = stateOf(folder)
  assert.deepEqual(problemsIn(await examine(config)), [])
  assert.deepEqual(stateOf(folder), left)
})

test('a missing store and its folder are not created', async (t) => {
  const { url, close } = await startScriptedPlatform(() => {})
  await close()
  const { config, folder } = install(t, url, { store: 'sqlite:data/v.db' })
  assert.equal(findCheck(await examine(config), 'store').state, 'warn')
  assert.deepEqual(readdirSync(folder).toSorted(), ['key.p8', 'vitrine.json'])
})

test('a store that is locked by another program, or belongs to one, is reported', async (t) => {
  const { config, folder } = await prepare(t, 'none')
  const file = join(folder, 'vitrine.db')
  const holder = new DatabaseSync(file)
  holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE keys SET name = name')
  const held = await examine(config, ['demo'])
  holder.close()
  assert.deepEqual(problemsIn(held), ['store=fail'])
  assert.match(findCheck(held, 'store').cure ?? '', /^Another program has locked the store/)
  rmSync(file)
  const other = new DatabaseSync(file)
  other.exec('CREATE TABLE songs (title)')
  other.close()
  const strange = await examine(config, ['demo'])
  assert.deepEqual(problemsIn(strange), ['store=warn'])
  assert.equal(findCheck(strange, 'store').cause, 'it holds tables, and none of them is a table of Vitrine')
})

test('a folder in place of the store, and a file in place of its folder, have different causes', async (t) => {
  const { url, close } = await startScriptedPlatform(() => {})
  await close()
  const causeOf = async (store: string) => {
    const { config, folder } = install(t, url, { store })
    mkdirSync(join(folder, 'v.db'))
    return findCheck(await examine(config), 'store').cause?.replace(folder, '')
  }
  assert.equal(await causeOf('sqlite:v.db'), '/v.db: it is a folder, not a file')
  assert.equal(await causeOf('sqlite:key.p8/v.db'), '/key.p8 is not a folder')
})

test('a file that is not a store fails the check and stays unchanged', async (t) => {
  const { config, folder } = await prepare(t, 'none')
  writeFileSync(join(folder, 'vitrine.db'), 'this is a text\n'.repeat(1_000))
  const before = stateOf(folder)
  const told = await examine(config, ['demo'])
  assert.deepEqual(problemsIn(told), ['store=fail'])
  assert.equal(findCheck(told, 'group:apps', 'demo').state, 'ok')
  assert.deepEqual(stateOf(folder), before)
  const hosted = await examine(config, ['hosted'])
  assert.deepEqual(problemsIn(hosted), ['store=fail', 'connections=fail'])
})

test('a wrong or malformed master key is reported without printing it', async (t) => {
  const { config, folder } = await prepare(t, 'none')
  const [wrong, other] = [
    'sandbox:AAAA',
    `sandbox:${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`,
  ]
  for (const [text, cause] of [
    [wrong, /not 32 bytes in base64/] as const,
    [other, /not the one that this store knows/] as const,
  ]) {
    writeFileSync(join(folder, 'master-keys'), `${text}\n`)
    const told = await examine(config)
    assert.deepEqual(problemsIn(told), ['master-keys=fail'])
    assert.match(findCheck(told, 'master-keys').cause ?? '', cause)
    assert.ok(!told.out.includes(text.slice(8)))
  }
})

test('malformed master keys are reported before the first start, too', async (t) => {
  const { config } = await prepare(t, 'store-missing')
  const told = await examine(config, [], { VITRINE_MASTER_KEYS: 'k1:short' })
  assert.deepEqual(problemsIn(told), ['store=warn', 'master-keys=fail'])
  assert.match(findCheck(told, 'master-keys').cause ?? '', /^VITRINE_MASTER_KEYS: master key k1 is not 32 bytes/)
})

test('a missing or malformed settings file, an unknown group and an unknown variable are reported', async (t) => {
  const folder = makeFolder(t)
  const config = join(folder, 'vitrine.json')
  assert.match(findCheck(await examine(config), 'settings').cause ?? '', /cannot be read \(ENOENT\)/)
  writeFileSync(config, '{"listen":')
  assert.match(findCheck(await examine(config), 'settings').cause ?? '', /is not JSON/)
  writeFileSync(config, '{"cacheSeconds": {"aps": 3}}')
  assert.match(findCheck(await examine(config), 'settings').cause ?? '', /there is no group "aps"/)
  writeFileSync(config, '{}')
  const told = await examine(config, [], { VITRINE_LISTN: 'x' })
  assert.match(findCheck(told, 'settings').cure ?? '', /^Write VITRINE_LISTEN instead of VITRINE_LISTN\./)
})

test(
  'a store in PostgreSQL is checked, and nothing is created in an empty database',
  { skip: noPostgres },
  async (t) => {
    const database = await freshDatabase()
    t.after(() => database.drop())
    const { config } = await prepare(t, 'no-connections')
    const settings = JSON.parse(readFileSync(config, 'utf8'))
    writeFileSync(config, JSON.stringify({ ...settings, store: database.url }))
    const empty = await examine(config)
    assert.deepEqual(problemsIn(empty), ['store=warn', 'connections=warn'])
    assert.deepEqual(await askPostgres(database.url, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'"), [])
    await (await openStore(database.url)).close()
    const told = await examine(config)
    assert.deepEqual(problemsIn(told), ['connections=warn'])
    assert.equal(findCheck(told, 'store').says, 'The PostgreSQL server answers, and the store can be written.')
    assert.equal(findCheck(told, 'schema').says, 'It has schema 10, the schema of this version.')
    await askPostgres(database.url, 'UPDATE vitrine_schema SET version = 11')
    assert.deepEqual(problemsIn(await examine(config)), ['schema=fail', 'connections=warn'])
  },
)

test('a PostgreSQL server that does not answer is reported without the password', async (t) => {
  const { config } = await prepare(t, 'no-connections')
  const settings = JSON.parse(readFileSync(config, 'utf8'))
  const store = `postgres://vitrine:k7TqPw92LmXz@127.0.0.1:${await freePort()}/vitrine`
  writeFileSync(config, JSON.stringify({ ...settings, store }))
  const told = await examine(config)
  assert.deepEqual(problemsIn(told), ['store=fail', 'connections=warn'])
  assert.match(findCheck(told, 'store').cause ?? '', /ECONNREFUSED/)
  assert.doesNotMatch(told.out + told.err, /k7TqPw92LmXz/)
})

test('store files readable by others, or a folder writable by others, are reported with the chmod that fixes them', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-modes-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [path, wal] = [join(folder, 'v.db'), join(folder, 'v.db-wal')]
  for (const file of [path, wal]) writeFileSync(file, '', { mode: 0o600 })
  assert.equal(judgeModes(path), undefined)
  chmodSync(wal, 0o640)
  const open = judgeModes(path)
  assert.deepEqual([open?.state, open?.cause, open?.cure], ['warn', `${wal} has mode 640`, `chmod 600 ${wal}`])
  chmodSync(path, 0o644)
  chmodSync(folder, 0o777)
  assert.equal(judgeModes(path)?.cure, `chmod 600 ${path} ${wal} && chmod go-w ${folder}`)
  // in a sticky folder users cannot replace the files of others
  for (const file of [path, wal]) chmodSync(file, 0o600)
  chmodSync(folder, 0o1777)
  assert.equal(judgeModes(path), undefined)
})
