import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import test, { type TestContext } from 'node:test'
import { rowOf } from '../../src/commands/status.ts'
import { startOverSandbox } from '../support/service.ts'

const token = 'the-token-of-the-Operator-q8Zr2Vx5'

function run(args: readonly string[], env: Record<string, string> = {}) {
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITRINE_')))
  return new Promise<{ code: number; out: string; err: string }>((ok) => {
    const options = { env: { ...clean, NODE_OPTIONS: '', ...env }, timeout: 60_000 }
    execFile(resolve('bin/vitrine'), ['status', ...args], options, (error, out, err) =>
      ok({ code: error ? Number(error.code ?? 1) : 0, out, err }),
    )
  })
}

/** a settings file, and the token's file beside it */
function write(t: TestContext, settings: Record<string, unknown>): string {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-status-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'token.txt'), `# who asks\n${token}\n`)
  writeFileSync(join(folder, 'vitrine.json'), JSON.stringify({ store: 'sqlite:v.db', ...settings }))
  return join(folder, 'vitrine.json')
}

async function startRunning(t: TestContext) {
  const file = { operatorListen: '127.0.0.1:0' }
  const { service, close } = await startOverSandbox({ file, secrets: { operatorToken: token } })
  t.after(close)
  const url = service.operatorUrl ?? ''
  return { service, url, port: Number(new URL(url).port) }
}

async function startOther(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('the running service is found by its settings, and tells how it and its connections stand, as JSON behind a pipe', async (t) => {
  const { service, port } = await startRunning(t)
  await service.ask('/apps')
  const config = write(t, { operatorListen: `127.0.0.1:${port}`, operatorTokenFile: 'token.txt' })
  const all = await run(['--config', config])
  assert.equal(all.code, 0, all.err)
  const told = JSON.parse(all.out)
  assert.deepEqual([told.ready, told.connections.length, told.node], [true, 3, process.version])
  const one = await run(['acme', '--config', config])
  assert.equal(one.code, 0, one.err)
  assert.deepEqual(JSON.parse(one.out), told.connections[0])
  assert.ok(JSON.parse(one.out).lastAnswerAt)
})

test('--url names another operator endpoint, and the token comes from the environment', async (t) => {
  const { url } = await startRunning(t)
  const config = write(t, { operatorListen: 'off' })
  const { code, out, err } = await run(['--config', config, '--url', url], { VITRINE_OPERATOR_TOKEN: token })
  assert.equal(code, 0, err)
  assert.equal(JSON.parse(out).ready, true)
})

test('a listener on all addresses is asked on this machine', async (t) => {
  const { port } = await startRunning(t)
  const config = write(t, { operatorListen: `0.0.0.0:${port}`, operatorTokenFile: 'token.txt' })
  assert.equal((await run(['--config', config])).code, 0)
})

test('errors are messages without a stack and without the token', async (t) => {
  const { url, port } = await startRunning(t)
  const stranger = await startOther(t, (_, res) => res.end('<html>hello</html>'))
  const missing = await startOther(t, (_, res) => res.writeHead(404).end('{"error":{"code":"key_missing"}}'))
  const gone = await startOther(t, (req) => req.socket.destroy())
  const good = { operatorListen: `127.0.0.1:${port}`, operatorTokenFile: 'token.txt' }
  const config = write(t, good)
  const withoutToken = write(t, { operatorListen: `127.0.0.1:${port}` })
  const rows: [args: string[], words: RegExp, env?: Record<string, string>][] = [
    [['--config', write(t, { ...good, operatorListen: 'off' })], /operatorListen is off.*--url/],
    [['--config', write(t, { ...good, operatorListen: '127.0.0.1:0' })], /port 0.*--url/],
    [['--config', write(t, { ...good, operatorListen: '127.0.0.1:9' })], /Nothing listens at http:\/\/127\.0\.0\.1:9:/],
    [['--config', withoutToken], /no operator token.*VITRINE_OPERATOR_TOKEN or operatorTokenFile/],
    [['--config', withoutToken], /refuses the token/, { VITRINE_OPERATOR_TOKEN: 'another-token-for-the-endpoint' }],
    [['--config', write(t, { ...good, operatorTokenFile: 'none.txt' })], /operatorTokenFile .*ENOENT/],
    [['--config', config, '--url', stranger], /is not an operator endpoint \(200\)|is not an operator endpoint\./],
    [['--config', config, '--url', missing], /is not an operator endpoint \(404\)/],
    [['--config', config, '--url', gone], /cannot be reached: ECONNRESET/],
    [['nobody', '--config', config], /vitrine: .*connection/i],
    [['..', '--config', config], /vitrine: .*connection/i],
    ...['ftp://x', 'x', `${url}/operator`, `http://me:secret@127.0.0.1:${port}`, `${url}?x`].map(
      (bad): [string[], RegExp] => [['--config', config, '--url', bad], /--url: must be an origin/],
    ),
  ]
  for (const [args, words, env] of rows) {
    const { code, out, err } = await run(args, env)
    assert.deepEqual([code, out], [1, ''], args.join(' '))
    assert.match(err, words, args.join(' '))
    assert.ok(!err.includes(token) && !/^ +at /m.test(err), err)
  }
})

test('the token cannot be given as an argument', async (t) => {
  const { code, err } = await run(['--config', write(t, {}), '--token', token])
  assert.equal(code, 1)
  assert.match(err, /unknown option '--token'/)
})

test('a line of the table says in short what matters', () => {
  const good = {
    ...({ connection: 'acme', breaker: 'closed', retryAfterSec: null } as const),
    quota: { hour: { limit: 3_600, remaining: 12 }, minute: null, pausedSec: 0 },
    calls: { running: 2, waiting: 1 },
    keyRejected: false,
    lastAnswerAt: '2026-11-20T09:00:00.000Z',
    lastFailure: null,
  }
  assert.deepEqual(rowOf(good), {
    connection: 'acme',
    platform: 'up',
    key: 'good',
    hour: '12 of 3600',
    minute: null,
    running: 2,
    waiting: 1,
    'last answer': '2026-11-20T09:00:00.000Z',
    'last failure': null,
  })
  const lastFailure = { at: '2026-11-20T09:01:00.000Z', code: 'upstream_unavailable' }
  const bad = rowOf({ ...good, breaker: 'open', retryAfterSec: 4, keyRejected: true, lastFailure })
  assert.deepEqual(
    [bad.platform, bad.key, bad['last failure']],
    ['open, again in 4 s', 'rejected', '2026-11-20T09:01:00.000Z upstream_unavailable'],
  )
  assert.equal(rowOf({ ...good, quota: { ...good.quota, pausedSec: 30 } }).key, 'rests 30 s')
})
