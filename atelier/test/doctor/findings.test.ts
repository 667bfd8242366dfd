// What the doctor finds of the machine, the disks, the store and the operator endpoint; examine.test.ts has the rest.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import test, { type TestContext } from 'node:test'
import { askPostgres, freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { examineImages, examineVersion } from '../../src/doctor/engine-content.ts'
import { examineInodes } from '../../src/doctor/room.ts'
import { examineConfinement } from '../../src/doctor/examine-confinement.ts'
import { examine } from '../../src/doctor/examine.ts'
import { examineKernelLimits } from '../../src/doctor/kernel-limits.ts'
import { createEngine } from '../../src/engine/create-engine.ts'
import { EngineError } from '../../src/engine/port.ts'
import { readSettings } from '../../src/settings.ts'
import { openStore } from '../../src/store/store.ts'
import { baseImage, onEveryEngine } from '../engines.ts'

const token = '0d7c3b9e5a1f48268bd0ce94f7a6152e'

function scratch(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-findings-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** what is found besides the engine that is away, and the base image that is missing */
async function foundIn(folder: string, more: object = {}, given?: string): Promise<string[]> {
  const wish = { listen: '127.0.0.1:1', store: 'sqlite:a.db', ssh: null, engine: { socket: 'none.sock' }, ...more }
  const findings = await examine(readSettings(wish, {}), folder, { operatorToken: given })
  assert.ok(findings.every(({ fix }) => fix.length > 10))
  const problems = findings.filter(({ isAdvice }) => !isAdvice).map(({ problem }) => problem)
  return problems.filter((one) => !/^No engine answers|no base image/.test(one))
}

test('an operator endpoint without a token, or with one that others know, is found', async (t) => {
  const folder = scratch(t)
  const file = join(folder, 'tokens')
  const near = { operatorListen: '127.0.0.1:0' }
  const withFile = { ...near, operatorTokenFile: 'tokens' }
  assert.deepEqual(await foundIn(folder), [], 'it is off')
  assert.match((await foundIn(folder, near)).join(), /has no token, so it refuses every request/)
  assert.match((await foundIn(folder, { operatorListen: '0.0.0.0:0' })).join(), /can be reached from the network/)
  assert.deepEqual(await foundIn(folder, near, token), [])
  assert.match((await foundIn(folder, withFile)).join(), /cannot be read \(ENOENT\)/)
  writeFileSync(file, 'short\n', { mode: 0o600 })
  assert.match((await foundIn(folder, withFile)).join(), /line 1 is not a token/)
  writeFileSync(file, `${token}\n`)
  assert.deepEqual(await foundIn(folder, withFile), [])
  assert.match((await foundIn(folder, withFile, token)).join(), /both given/)
  chmodSync(file, 0o644)
  const [found = '', ...others] = await foundIn(folder, withFile)
  assert.match(found, /Other users of this machine can read the operator's tokens/)
  assert.deepEqual(others, [])
  assert.ok(!found.includes(token))
})

test('a proxy with TLS that is not trusted, and trusted networks that hold other machines, are found', async (t) => {
  const folder = scratch(t)
  const publicUrl = 'https://atelier.example'
  assert.match((await foundIn(folder, { publicUrl })).join(), /^publicUrl is https and trustedProxies is empty/)
  assert.deepEqual(await foundIn(folder, { publicUrl, trustedProxies: ['127.0.0.1', '10.0.3.0/28'] }), [])
  const wide = await foundIn(folder, { publicUrl, trustedProxies: ['127.0.0.1', '10.0.0.0/8'] })
  assert.match(wide.join(), /^trustedProxies holds 10\.0\.0\.0\/8:/)
})

test('a storage of the engine with few inodes left is found, if it has a number of them', () => {
  const findIn = (files: number, ffree: number) => examineInodes('/graph', () => ({ files, ffree })).length
  assert.deepEqual([findIn(1_000, 99), findIn(1_000, 100), findIn(0, 0)], [1, 0, 0])
  assert.deepEqual([examineInodes('/no/such/folder'), examineInodes('/')], [[], []])
})

test('a store that cannot be written is found', { skip: noPostgres }, async (t) => {
  const database = await freshDatabase()
  t.after(() => database.drop())
  await (await openStore(database.url)).close()
  const store = { store: database.url }
  assert.deepEqual(await foundIn(scratch(t), store), [])
  const name = new URL(database.url).pathname.slice(1)
  await askPostgres(database.url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`)
  assert.match(
    (await foundIn(scratch(t), store)).join(),
    /^The store postgres:.* cannot be written: the server, or this user there, may only read\.$/,
  )
})

test('an engine that is older than what the service was tried with is found', () => {
  const cases = [
    ['podman', '4.3.1', true],
    ['podman', '5.0.0', true],
    ['podman', '4.2.9', false],
    ['podman', '3.4.4', false],
    ['docker', '20.10.24', true],
    ['docker', '27.1.0', true],
    ['docker', '19.03.15', false],
  ] as const
  for (const [dialect, version, isFine] of cases)
    assert.equal(examineVersion({ dialect, version }).length, isFine ? 0 : 1, `${dialect} ${version}`)
})

const config = { command: null, entrypoint: null, workingDir: '/', user: null, env: {}, labels: {} }
const times = { createdAt: 1, finishedAt: 1, deletedAt: null }
const image = (id: string, account: string | null, status: 'ready' | 'failed' = 'ready') => ({
  id,
  account,
  name: `name-${id}`,
  status,
  error: null,
  sizeBytes: 1,
  config,
  base: null,
  // a build that failed never had one
  engineId: status === 'failed' ? null : 'e',
  ...times,
})

onEveryEngine('images that the engine no longer has are found', async ({ engine }) => {
  const { id } = { id: 'img_there' }
  await engine.createEmptyImage(id)
  const problems = async (...known: ReturnType<typeof image>[]) =>
    (await examineImages(engine, known)).map(({ problem }) => problem)
  assert.deepEqual(await problems(image(id, null), image('img_b', 'acc_x', 'failed')), [])
  const found = await problems(image(id, null), image('img_b', null), image('img_c', 'acc_x'), image('img_d', 'acc_y'))
  assert.equal(found.length, 2)
  assert.match(found[0] ?? '', /base image name-img_b/)
  assert.match(found[1] ?? '', /2 images of accounts/)
})

test('of images, nothing is found while the engine is away', async () => {
  const engine = { images: () => Promise.reject(new EngineError('unavailable')) }
  assert.deepEqual(await examineImages(engine, [image('img_b', null)]), [])
})

const mayMount = spawnSync('unshare', ['-m', 'true']).status === 0
const noMounts = mayMount ? false : 'NOT TRIED: other files in the place of /etc/subuid need a mount namespace'

test('ranges of user ids that Podman lacks are found', { skip: noMounts }, async (t) => {
  const folder = scratch(t)
  const version = { Version: '4.3.1', Components: [{ Name: 'Podman Engine' }] }
  const server = createServer((req, res) => res.end(JSON.stringify(req.url?.endsWith('/version') ? version : [])))
  await new Promise<void>((ok) => server.listen(join(folder, 'engine.sock'), ok))
  t.after(() => (server.close(), server.closeAllConnections()))
  writeFileSync(join(folder, 'with'), 'containers:1000000:1000000\n')
  writeFileSync(join(folder, 'without'), 'somebody:1:2\n')
  const wish = { listen: '127.0.0.1:1', store: 'sqlite:a.db', ssh: null, engine: { socket: 'engine.sock' } }
  writeFileSync(join(folder, 'atelier.json'), JSON.stringify(wish))
  const script = 'mount --bind "$1" /etc/subuid && mount --bind "$2" /etc/subgid && exec "$3" doctor --config "$4"'
  const doctor = async (uids: string, gids: string): Promise<string> => {
    const files = [uids, gids].map((name) => join(folder, name))
    const words = ['-m', 'sh', '-c', script, 'sh', ...files, resolve('bin/atelier'), join(folder, 'atelier.json')]
    const child = spawn('unshare', words)
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += String(part)))
    await new Promise((ok) => child.once('close', ok))
    assert.match(said, /no base image/, 'the doctor ran')
    return said
  }
  assert.doesNotMatch(await doctor('with', 'with'), /user namespaces/)
  assert.match(await doctor('without', 'with'), /no ranges for user namespaces in \/etc\/subuid: /)
  assert.match(await doctor('without', 'without'), /in \/etc\/subuid and \/etc\/subgid: /)
})

test('low limits of inotify are reported as advice; limits that are high enough or cannot be read are not reported', (t) => {
  const folder = scratch(t)
  assert.deepEqual(examineKernelLimits(folder), [])
  mkdirSync(join(folder, 'fs/inotify'), { recursive: true })
  const write = (name: string, value: number) => writeFileSync(join(folder, 'fs/inotify', name), `${value}\n`)
  write('max_user_instances', 128)
  write('max_user_watches', 1_048_576)
  const [found, ...others] = examineKernelLimits(folder)
  assert.deepEqual([found?.isAdvice, others], [true, []])
  assert.match(found?.problem ?? '', /^fs\.inotify\.max_user_instances is 128: /)
  assert.match(found?.fix ?? '', /^sysctl -w fs\.inotify\.max_user_instances=1048576, /)
  write('max_user_instances', 1_048_576)
  assert.deepEqual(examineKernelLimits(folder), [])
})

onEveryEngine(
  'a seccomp profile that the engine cannot use is found, and the shipped one is no finding',
  async (at) => {
    const bases = [{ engineId: baseImage }] as unknown as Parameters<typeof examineConfinement>[1]
    assert.deepEqual(await examineConfinement(at.engine, bases), [])
    const { socket, instance } = at
    const other = createEngine({ socket, instance, runtime: null, seccompProfile: '/nowhere/profile.json' })
    const [found, ...more] = await examineConfinement(other, bases)
    other.close()
    assert.match(found?.problem ?? '', /cannot use the seccomp profile \/nowhere\/profile\.json/)
    assert.match(found?.fix ?? '', /engine\.seccompProfile/)
    assert.deepEqual(more, [])
  },
)
