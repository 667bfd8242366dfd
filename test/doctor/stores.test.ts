// What the doctor says of stores. Long: each fault of a store has its test.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { judgeModes } from '../../src/doctor/store-modes.ts'
import { openStore } from '../../src/store/open.ts'
import { askPostgres, freePort, freshDatabase, noPostgres } from '../ground/postgres.ts'
import { startScriptedPlatform } from '../ground/scripted-platform.ts'
import { clean, examine, findCheck, illIn, install, makeFolder, prepare, stateOf } from './scene.ts'

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
  const doors = { listen: `127.0.0.1:${port}`, operatorListen: `127.0.0.1:${operatorPort}` }
  writeFileSync(config, JSON.stringify({ ...settings, ...doors, ...more }))
  return { url: `http://127.0.0.1:${port}`, port, operatorPort }
}

test('beside a running service all is well, its doors are known as its own, and it does not notice', async (t) => {
  const { config, folder } = await prepare(t, 'none')
  const { url, port, operatorPort } = await withPorts(config)
  await serve(t, config, url)
  const before = ['vitrine.db', 'vitrine.db-wal'].map((name) => readFileSync(join(folder, name)))
  const told = await examine(config)
  assert.deepEqual([told.code, illIn(told)], [0, []])
  const doors = `a Vitrine answers at 127.0.0.1:${port}, a Vitrine answers at 127.0.0.1:${operatorPort}.`
  assert.equal(findCheck(told, 'doors').says, doors)
  assert.deepEqual(
    ['vitrine.db', 'vitrine.db-wal'].map((name) => readFileSync(join(folder, name))),
    before,
  )
  assert.equal((await fetch(`${url}/readyz`)).status, 200)
})

test('what a killed service has left in the journal is read, and stays there', async (t) => {
  const { config, folder } = await prepare(t, 'none')
  const { url } = await withPorts(config)
  const { child, ended } = await serve(t, config, url)
  child.kill('SIGKILL')
  await ended
  const left = stateOf(folder)
  assert.deepEqual(illIn(await examine(config)), [])
  assert.deepEqual(stateOf(folder), left)
})

test('a store that is not there is not made, and nor is its folder', async (t) => {
  const { url, close } = await startScriptedPlatform(() => {})
  await close()
  const { config, folder } = install(t, url, { store: 'sqlite:data/v.db' })
  assert.equal(findCheck(await examine(config), 'store').state, 'warn')
  assert.deepEqual(readdirSync(folder).toSorted(), ['key.p8', 'vitrine.json'])
})

test('a store that another program has to itself, or that is one of another program, is told so', async (t) => {
  const { config, folder } = await prepare(t, 'none')
  const file = join(folder, 'vitrine.db')
  const holder = new DatabaseSync(file)
  holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE keys SET name = name')
  const held = await examine(config, ['demo'])
  holder.close()
  assert.deepEqual(illIn(held), ['store=fail'])
  assert.match(findCheck(held, 'store').cure ?? '', /^Another program has the store to itself/)
  rmSync(file)
  const other = new DatabaseSync(file)
  other.exec('CREATE TABLE songs (title)')
  other.close()
  const strange = await examine(config, ['demo'])
  assert.deepEqual(illIn(strange), ['store=warn'])
  assert.equal(findCheck(strange, 'store').cause, 'it holds tables, and none of them is of Vitrine')
})

test('a folder in place of the store, and a file in place of its folder, are told so', async (t) => {
  const { url, close } = await startScriptedPlatform(() => {})
  await close()
  const causeOf = async (store: string) => {
    const { config, folder } = install(t, url, { store })
    mkdirSync(join(folder, 'v.db'))
    return findCheck(await examine(config), 'store').cause?.replace(folder, '')
  }
  assert.equal(await causeOf('sqlite:v.db'), '/v.db: it is a folder, and no file')
  assert.equal(await causeOf('sqlite:key.p8/v.db'), '/key.p8 is no folder')
})

test('what is no store is told so, and left alone', async (t) => {
  const { config, folder } = await prepare(t, 'none')
  writeFileSync(join(folder, 'vitrine.db'), 'this is a text\n'.repeat(1_000))
  const before = stateOf(folder)
  const told = await examine(config, ['demo'])
  assert.deepEqual(illIn(told), ['store=fail'])
  assert.equal(findCheck(told, 'group:apps', 'demo').state, 'ok')
  assert.deepEqual(stateOf(folder), before)
  const hosted = await examine(config, ['hosted'])
  assert.deepEqual(illIn(hosted), ['store=fail', 'connections=fail'])
})

test('another master key of the same name, and one that is none, are named without a letter of them', async (t) => {
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
    assert.deepEqual(illIn(told), ['master-keys=fail'])
    assert.match(findCheck(told, 'master-keys').cause ?? '', cause)
    assert.ok(!told.out.includes(text.slice(8)))
  }
})

test('master keys that cannot be read are named before the first start, too', async (t) => {
  const { config } = await prepare(t, 'store-missing')
  const told = await examine(config, [], { VITRINE_MASTER_KEYS: 'k1:short' })
  assert.deepEqual(illIn(told), ['store=warn', 'master-keys=fail'])
  assert.match(findCheck(told, 'master-keys').cause ?? '', /^VITRINE_MASTER_KEYS: master key k1 is not 32 bytes/)
})

test('without a settings file the environment counts, and one that is no JSON is named', async (t) => {
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

test('a store in PostgreSQL is looked at, and nothing is made in an empty one', { skip: noPostgres }, async (t) => {
  const database = await freshDatabase()
  t.after(() => database.drop())
  const { config } = await prepare(t, 'no-connections')
  const settings = JSON.parse(readFileSync(config, 'utf8'))
  writeFileSync(config, JSON.stringify({ ...settings, store: database.url }))
  const empty = await examine(config)
  assert.deepEqual(illIn(empty), ['store=warn', 'connections=warn'])
  assert.deepEqual(await askPostgres(database.url, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'"), [])
  await (await openStore(database.url)).close()
  const told = await examine(config)
  assert.deepEqual(illIn(told), ['connections=warn'])
  assert.equal(findCheck(told, 'store').says, 'The PostgreSQL server answers, and can be written.')
  assert.equal(findCheck(told, 'schema').says, 'It has schema 6, as this version of Vitrine writes it.')
  await askPostgres(database.url, 'UPDATE vitrine_schema SET version = 9')
  assert.deepEqual(illIn(await examine(config)), ['schema=fail', 'connections=warn'])
})

test('a PostgreSQL server that does not answer is told without the password', async (t) => {
  const { config } = await prepare(t, 'no-connections')
  const settings = JSON.parse(readFileSync(config, 'utf8'))
  const store = `postgres://vitrine:k7TqPw92LmXz@127.0.0.1:${await freePort()}/vitrine`
  writeFileSync(config, JSON.stringify({ ...settings, store }))
  const told = await examine(config)
  assert.deepEqual(illIn(told), ['store=fail', 'connections=warn'])
  assert.match(findCheck(told, 'store').cause ?? '', /ECONNREFUSED/)
  assert.doesNotMatch(told.out + told.err, /k7TqPw92LmXz/)
})

test('store files that others can read, and a folder that they can write, are named with the chmod that closes them', async (t) => {
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
  // each owns their own files there
  for (const file of [path, wal]) chmodSync(file, 0o600)
  chmodSync(folder, 0o1777)
  assert.equal(judgeModes(path), undefined)
})
