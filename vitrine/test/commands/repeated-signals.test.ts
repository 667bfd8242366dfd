// After a second signal the service waits for no request, and the audit still has every answered one.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { makeKey } from '../../src/keys/facade-key.ts'
import { ask, type Installation } from '../stored-connections/program.ts'
import { startRunning } from '../faults/service-process.ts'
import { freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { type Script, send } from '../support/scripted-platform.ts'
import { page } from '../support/example-routes.ts'
import { startTcpProxy } from '../../../base/test/tcp-proxy.ts'
import { until } from '../../../base/test/until.ts'
import { many, read, startScene } from './signal-scene.ts'

/** no stack, no message of Node.js's own */
const assertCalm = (said: string) => assert.doesNotMatch(said, /^\s+at |node:internal|Error:/m)

async function readsIn(installation: Pick<Installation, 'command'>): Promise<number> {
  const { code, out, err } = await installation.command('audit', '--act', 'read', '--limit', '200')
  assert.equal(code, 0, err)
  return JSON.parse(out).length
}

/** the first signal, and the second while a read still waits for the platform */
async function stopTwice(t: TestContext, signals: readonly [NodeJS.Signals, NodeJS.Signals]) {
  const settings = { audit: { reads: true }, drainSeconds: 7 }
  const scene = await startScene(t, settings)
  const { key } = await scene.issue()
  const answers = await many(30, () => read(scene, key))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  scene.platform.delayMs = 8_000
  const waiting = read(scene, key).catch((error: NodeJS.ErrnoException) => error.code)
  await until(() => scene.platform.running > 0)
  scene.kill(signals[0])
  await until(() => scene.lines('stopping').length === 1)
  const from = performance.now()
  scene.kill(signals[1])
  const [code] = await scene.exit()
  assert.equal(code, 1)
  assert.ok(performance.now() - from < 5_500, `${performance.now() - from} ms`)
  await waiting
  assertCalm(scene.said())
  assert.equal(
    scene.lines('answered').filter(({ status, operation }) => status === 200 && operation === 'listApps').length,
    30,
  )
  const noted = await readsIn(scene.installation)
  assert.ok(noted >= 30, `${noted} of 30 reads are in the audit`)
}

test('a second SIGTERM cuts waiting requests, and loses no line of the audit log or the log', (t) =>
  stopTwice(t, ['SIGTERM', 'SIGTERM']))

test('SIGINT behind SIGTERM does the same', (t) => stopTwice(t, ['SIGTERM', 'SIGINT']))

test('lines that wait for their turn to be written are written when both signals come at once', async (t) => {
  const scene = await startScene(t, { audit: { reads: true }, drainSeconds: 7 })
  const { key } = await scene.issue()
  await many(10, () => read(scene, key))
  for (const signal of ['SIGTERM', 'SIGTERM', 'SIGINT', 'SIGTERM'] as const) scene.kill(signal)
  const [code] = await scene.exit()
  assert.ok(code === 1 || code === 0, String(code))
  assertCalm(scene.said())
  assert.equal(await readsIn(scene.installation), 10)
})

test(
  'a second signal ends the service within seconds where the store no longer answers',
  { skip: noPostgres },
  async (t) => {
    const database = await freshDatabase()
    t.after(() => database.drop())
    const real = new URL(database.url)
    const wire = await startTcpProxy({ port: Number(real.port || 5_432), host: real.hostname })
    t.after(() => wire.close())
    const store = Object.assign(new URL(database.url), { hostname: '127.0.0.1', port: String(wire.port) }).href
    const script: Script = (_, res) => send(res, page.healthy)
    const running = await startRunning(t, { script, settings: { store, audit: { reads: true }, drainSeconds: 7 } })
    await running.read()
    wire.setState('frozen')
    const ended = running.kill('SIGTERM')
    await until(async () => (await ask(running.url, '/readyz', '')).status === 503)
    const from = performance.now()
    process.kill(running.pid(), 'SIGTERM')
    await ended
    assert.equal(running.exitCode(), 1)
    assert.ok(performance.now() - from < 5_500)
    assertCalm(running.said())
  },
)

async function stopCommand(t: TestContext, args: readonly string[], env: Record<string, string>, begun: RegExp) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-signals-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const child = spawn(
    'bin/vitrine',
    args.map((one) => one.replace('FOLDER', folder)),
    {
      env: { ...process.env, NODE_OPTIONS: '', ...env },
    },
  )
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += String(part)))
  if (args[0] === 'mcp') {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'try', version: '0' } }
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  }
  const ended = once(child, 'exit')
  await until(() => begun.test(said) || child.exitCode !== null)
  child.kill('SIGTERM')
  child.kill('SIGTERM')
  const [code, signal] = await ended
  assertCalm(said)
  return [code, signal]
}

test('demo, sandbox and mcp exit by themselves after two signals', async (t) => {
  const anyPort = { VITRINE_LISTEN: '127.0.0.1:0', VITRINE_OPERATOR_LISTEN: '127.0.0.1:0' }
  const key = { VITRINE_KEY: makeKey('test').key }
  const demo = await stopCommand(t, ['demo', '--data', 'FOLDER'], anyPort, /Ctrl-C/)
  assert.ok(demo[0] === 0 || demo[0] === 1, String(demo))
  const sandbox = await stopCommand(t, ['sandbox', '--port', '0', '--data', 'FOLDER'], {}, /baseUrl/)
  assert.ok(sandbox[0] === 0 || sandbox[0] === 1, String(sandbox))
  assert.deepEqual(await stopCommand(t, ['mcp'], key, /serverInfo/), [0, null])
})
