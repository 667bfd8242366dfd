// The move to a new master key: under steady load, and with repeated kills. Afterwards the old key is unused.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fingerprintOf } from '../../src/connections/credential.ts'
import { readMasterKeys } from '../../src/connections/master-keys.ts'
import { createVault } from '../../src/connections/vault.ts'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { openStore } from '../../src/store/open.ts'
import type { ConnectionRecord } from '../../src/store/records.ts'
import { ask, full, type Installation, makeInstallation, makePair, masterKeys, share } from './program.ts'

const hosted = full ? 10_000 : 600
const perSecond = full ? 200 : 100
const killings = full ? 50 : 10
/** how long requests continue after the move, in real time */
const restMs = 500

const pair = makePair()
/** several, since each has its hourly quota at the platform */
const accounts = Array.from({ length: 20 }, (_, n) => ({
  keyId: `KEY${n}`,
  issuerId: 'issuer',
  publicKey: pair.publicKey,
}))
const idOf = (n: number): string => `c${n}`

interface Scene extends Installation {
  readonly key: string
  readonly wrapped: readonly Uint8Array[]
}

/** rows are made directly by the vault; through the endpoint, ten thousand would take a minute */
async function fill({ folder }: Installation, count: number): Promise<Uint8Array[]> {
  const vault = createVault(readMasterKeys(readFileSync(join(folder, 'keys.txt'), 'utf8')))
  const store = await openStore(`sqlite:${join(folder, 'data/v.db')}`)
  const rows = Array.from({ length: count }, (_, n): ConnectionRecord => {
    const identity = {
      id: idOf(n),
      epoch: `e${n}`,
      version: 1,
      keyId: `KEY${n % accounts.length}`,
      issuerId: 'issuer',
      fingerprint: fingerprintOf(pair.privateKey),
      linkage: null,
      tokenScope: null,
      createdAt: Date.now(),
      replacedAt: null,
    }
    return { ...identity, ...vault.close(identity, pair.privateKey), lastUsedAt: null }
  })
  const by = { who: 'cli:test', from: 'here', requestId: null, outcome: 'done' as const, details: {} }
  for (const row of rows) await store.connections.add(row, { ...by, at: 1, act: 'connections.create', target: row.id })
  await store.secret('master-key:k1', vault.proofOf('k1'))
  await store.close()
  return rows.map((row) => row.wrapped)
}

async function makeScene(t: TestContext, count: number): Promise<Scene> {
  const platform = await startSandbox({ accounts })
  t.after(() => platform.close())
  const installation = await makeInstallation(platform.url)
  t.after(() => installation.close())
  const wrapped = await fill(installation, count)
  const made = await installation.command('keys', 'create', '--name', 'reader', '--connections', '*')
  return { ...installation, key: made.out.trim(), wrapped }
}

const pathOf = (n: number): string => `/v1/connections/${idOf(n)}/apps?limit=1&fields=name`

/** sends requests at a steady rate until stopped, however long the answers take */
function sendAtSteadyRate({ url, key }: Scene, count: number) {
  const statuses: number[] = []
  const times: number[] = []
  const under: Promise<void>[] = []
  const begun = performance.now()
  const one = async () => {
    const answer = await ask(url, pathOf(Math.floor(Math.random() * count)), key).catch(() => undefined)
    statuses.push(answer?.status ?? 0)
    if (answer) times.push(answer.ms)
  }
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - begun) / 1_000) * perSecond) - under.length
    for (let i = 0; i < due; i++) under.push(one())
  }, 5)
  return async () => {
    clearInterval(timer)
    await Promise.all(under)
    return { statuses, times }
  }
}

/** `k2` before `k1` as in the guide: first last in the list, then first */
async function introduce({ folder }: Scene): Promise<{ old: string; fresh: string }> {
  const file = join(folder, 'keys.txt')
  const old = readFileSync(file, 'utf8')
  const fresh = masterKeys('k2')
  writeFileSync(file, `${old}\n${fresh}`)
  // wait until the running server has read it
  await sleep(1_500)
  writeFileSync(file, `${fresh}\n${old}`)
  return { old, fresh }
}

const filesOf = ({ folder }: Scene): [name: string, bytes: Buffer][] =>
  readdirSync(join(folder, 'data')).map((file) => [file, readFileSync(join(folder, 'data', file))])

test('a rotation under a steady load fails no request, and the old master key is unused afterwards', async (t) => {
  const scene = await makeScene(t, hosted)
  const started = await scene.start()
  const stop = sendAtSteadyRate(scene, hosted)
  const { fresh } = await introduce(scene)
  const begun = performance.now()
  const rotated = await scene.command('vault', 'rotate')
  const tookMs = performance.now() - begun
  await sleep(restMs)
  const { statuses, times } = await stop()
  assert.deepEqual([rotated.code, JSON.parse(rotated.out).moved], [0, hosted], rotated.err)
  assert.ok(statuses.length > perSecond, `only ${statuses.length} requests`)
  assert.deepEqual(
    statuses.filter((status) => status !== 200),
    [],
  )

  const status = JSON.parse((await scene.command('vault', 'status')).out)
  assert.equal(status.masterKeys.find(({ id }: { id: string }) => id === 'k1').wraps, 0)
  // no file contains anything wrapped by the old key, including removed rows and the journal
  for (const [name, bytes] of filesOf(scene))
    assert.equal(scene.wrapped.filter((old) => bytes.indexOf(old) >= 0).length, 0, `${name} of ${bytes.length} bytes`)
  await scene.kill('SIGKILL')
  writeFileSync(join(scene.folder, 'keys.txt'), fresh)
  const readyMs = await scene.start()
  for (let n = 0; n < hosted; n += full ? 1 : 10)
    assert.equal((await ask(scene.url, pathOf(n), scene.key)).status, 200, idOf(n))
  t.diagnostic(
    `${hosted} rows moved in ${(tookMs / 1_000).toFixed(1)} s; ${statuses.length} requests meanwhile, 0 failed, p50 ${share(times, 0.5).toFixed(1)} ms, p99 ${share(times, 0.99).toFixed(1)} ms; start ${started.toFixed(0)} ms, with the new key alone ${readyMs.toFixed(0)} ms`,
  )
})

test('F171 F173: a rotation killed at any moment resumes where it was, and two at once do no harm', async (t) => {
  const scene = await makeScene(t, hosted)
  const { fresh } = await introduce(scene)
  const store = await openStore(`sqlite:${join(scene.folder, 'data/v.db')}`)
  t.after(() => store.close())
  const moved = async () => (await store.connections.wrappedBy()).get('k2') ?? 0
  const stood: number[] = []
  for (let n = 0; n < killings && (await moved()) < hosted; n++) {
    const child = scene.launch('vault', 'rotate')
    const gone = once(child, 'exit')
    // at its first batch, or a random moment later
    const before = await moved()
    while (child.exitCode === null && (await moved()) === before) await sleep(1)
    await sleep(Math.random() * (full ? 30 : 3))
    child.kill('SIGKILL')
    await gone
    stood.push(await moved())
  }
  assert.ok(
    stood.some((count) => count > 0 && count < hosted),
    'it was never killed in the middle',
  )
  const both = await Promise.all([scene.command('vault', 'rotate'), scene.command('vault', 'rotate')])
  for (const { code, out, err } of both) assert.deepEqual([code, JSON.parse(out).left], [0, 0], err)
  writeFileSync(join(scene.folder, 'keys.txt'), fresh)
  const verified = await scene.command('vault', 'verify')
  assert.deepEqual(JSON.parse(verified.out), { opened: hosted, failed: [] })
  assert.equal((await scene.command('store', 'check')).code, 0)
  t.diagnostic(`${stood.length} kills, after which so many of ${hosted} had moved: ${stood.join(' ')}`)
})
