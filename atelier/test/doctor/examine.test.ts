import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { examine } from '../../src/doctor/examine.ts'
import { makeId } from '../../src/ids.ts'
import { readSettings } from '../../src/settings.ts'
import { openHostKey } from '../../src/ssh/host-key.ts'
import { openStore } from '../../src/store/store.ts'

const runtimes = { DefaultRuntime: 'runc', Runtimes: { runc: {}, runsc: {} } }
const versions = {
  podman: { Version: '4.3.1', Arch: 'amd64', Components: [{ Name: 'Podman Engine' }] },
  docker: { Version: '20.10.24', Arch: 'amd64', Components: [{ Name: 'Engine' }] },
} as const

/** an installation without a problem, save those of the machine */
async function install(t: TestContext, dialect: keyof typeof versions = 'docker') {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-doctor-'))
  const socket = join(folder, 'engine.sock')
  const server = createServer((req, res) => {
    const answers = { version: versions[dialect], info: runtimes, 'containers/json': [], networks: [] }
    const [path = ''] = (req.url ?? '').split('?')
    const answer = Object.entries(answers).find(([name]) => path.endsWith(`/${name}`))?.[1]
    if (!answer) res.statusCode = 404
    res.end(JSON.stringify(answer ?? {}))
  })
  await new Promise<void>((ok) => server.listen(socket, ok))
  t.after(() => {
    server.close()
    server.closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
  })
  const store = await openStore(`sqlite:${join(folder, 'a.db')}`)
  const config = { command: null, entrypoint: null, workingDir: '/', user: null, env: {}, labels: {} }
  const image = { id: makeId('img'), account: null, name: 'base', status: 'ready', error: null, base: null } as const
  const times = { createdAt: 1, finishedAt: 1, deletedAt: null }
  await store.images.addBase({ ...image, ...times, sizeBytes: 1, config, engineId: 'e' })
  await store.close()
  const file = join(folder, 'host_key')
  openHostKey(file)
  const problems = async (engine: object = {}, more: object = {}) => {
    const wish = { listen: '127.0.0.1:1', store: 'sqlite:a.db', ssh: { hostKeyFile: 'host_key' }, ...more }
    const findings = await examine(readSettings({ ...wish, engine: { socket: 'engine.sock', ...engine } }, {}), folder)
    assert.ok(findings.every(({ fix }) => fix.length > 10))
    const problemsAlone = findings.filter(({ isAdvice }) => !isAdvice).map(({ problem }) => problem)
    return problemsAlone.filter((problem) => !problem.includes('/etc/sub'))
  }
  return { folder, socket, file, problems }
}

test('a sound installation has no findings, also before the first start has made the host key', async (t) => {
  const { file, problems } = await install(t)
  assert.deepEqual(await problems(), [])
  rmSync(file)
  assert.deepEqual(await problems(), [])
  assert.equal(statSync(file, { throwIfNoEntry: false }), undefined)
})

test('an engine that is away and a store that cannot be opened are found', async (t) => {
  const { problems, folder } = await install(t)
  const away = await problems({ socket: 'none.sock' })
  assert.deepEqual([away.length, away[0]?.startsWith('No engine answers at')], [1, true])
  writeFileSync(join(folder, 'text'), 'no folder')
  assert.equal((await problems({}, { store: 'sqlite:text/a.db' })).length, 1)
  const [noImage, ...others] = await problems({}, { store: 'sqlite:new.db' })
  assert.match(noImage ?? '', /no base image/)
  assert.deepEqual(others, [])
})

test('a socket of the engine that others may use is found, unless a folder above keeps them off', async (t) => {
  const { problems, socket, folder } = await install(t)
  chmodSync(socket, 0o666)
  assert.deepEqual(await problems(), [])
  chmodSync(folder, 0o755)
  assert.match((await problems()).join(), /Other users of this machine can reach/)
  // its owner's alone, or as Docker makes it: for a group
  for (const mode of [0o600, 0o660]) {
    chmodSync(socket, mode)
    assert.deepEqual(await problems(), [])
  }
})

for (const [dialect, runtime, isTaken] of [
  ['podman', 'runc', true],
  ['podman', 'runsc', false],
  ['docker', 'runc', true],
  ['docker', 'runsc', true],
  ['docker', 'kata', false],
  ['docker', 'io.containerd.kata.v2', true],
] as const)
  test(`the runtime ${runtime} is ${isTaken ? 'no problem' : 'found to be refused'} on ${dialect}`, async (t) => {
    const { problems } = await install(t, dialect)
    const found = await problems({ runtime })
    assert.equal(found.length, isTaken ? 0 : 1)
    if (!isTaken) assert.ok(found[0]?.includes(`does not take the runtime ${runtime}`))
  })

const spoilt: readonly [title: string, spoil: (file: string) => void, problem: RegExp][] = [
  ['that others can read', (file) => chmodSync(file, 0o644), /can be read by others/],
  ['that cannot be read', (file) => (rmSync(file), mkdirSync(file)), /cannot be read \(EISDIR\)/],
  ['that holds no key', (file) => writeFileSync(file, 'no key'), /holds no ed25519 private key/],
]

for (const [title, spoil, problem] of spoilt)
  test(`an SSH host key ${title} is found, where SSH is turned on`, async (t) => {
    const { problems, file } = await install(t)
    spoil(file)
    const found = await problems()
    assert.equal(found.length, 1)
    assert.match(found[0] ?? '', problem)
    assert.deepEqual(await problems({}, { ssh: null }), [])
  })

test('an SSH host key is found to be missing where the service cannot make it', async (t) => {
  const { problems, folder } = await install(t)
  writeFileSync(join(folder, 'text'), 'no folder')
  const found = await problems({}, { ssh: { hostKeyFile: 'text/host_key' } })
  assert.equal(found.length, 1)
  assert.match(found[0] ?? '', /host_key is missing, and the service cannot make it/)
  assert.deepEqual(await problems({}, { ssh: { hostKeyFile: 'new/folder/host_key' } }), [])
})
