// Connections of the settings are reloaded while the service runs: either all new ones apply, or all old ones.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { ask, makePair, masterKeys } from './program.ts'

const [first, second] = [makePair(), makePair()]
const team = { keyId: 'FIRST', issuerId: 'issuer', privateKeyFile: 'first.p8' }

interface Running {
  readonly folder: string
  readonly child: ChildProcess
  readonly lines: any[]
  write(settings: object | string): void
  status(id: string): Promise<number>
  /** the next line of this kind from now on */
  next(kind: string): Promise<any>
}

async function startServing(t: TestContext): Promise<Running> {
  const accounts = [
    { keyId: 'FIRST', issuerId: 'issuer', publicKey: first.publicKey },
    { keyId: 'SECOND', issuerId: 'issuer', publicKey: second.publicKey },
  ]
  const platform = await startSandbox({ accounts })
  t.after(() => platform.close())
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-reload-'))
  const config = join(folder, 'vitrine.json')
  const standing = {
    listen: '127.0.0.1:0',
    operatorListen: 'off',
    store: 'sqlite:data/v.db',
    masterKeysFile: 'keys.txt',
    upstream: { baseUrl: platform.url },
    rateLimit: { perMinute: 0 },
    log: 'problems',
  }
  const write = (settings: object | string) => {
    const text = typeof settings === 'string' ? settings : JSON.stringify({ ...standing, ...settings })
    writeFileSync(`${config}.new`, text)
    renameSync(`${config}.new`, config)
  }
  writeFileSync(join(folder, 'first.p8'), first.pem, { mode: 0o600 })
  writeFileSync(join(folder, 'second.p8'), second.pem, { mode: 0o600 })
  writeFileSync(join(folder, 'keys.txt'), masterKeys('k1'), { mode: 0o600 })
  write({ connections: { one: team } })
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITRINE_')))
  const bin = resolve('bin/vitrine')
  const env = { ...clean, NODE_OPTIONS: '' }
  const child = spawn(bin, ['serve'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
  t.after(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true })
  })
  const lines: any[] = []
  let rest = ''
  child.stderr.on('data', (part: Buffer) => {
    const parts = (rest + part).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line)))
  })
  let heard = 0
  const next = async (kind: string) => {
    for (const until = Date.now() + 8_000; Date.now() < until; await sleep(20)) {
      const at = lines.findIndex((line, i) => i >= heard && line.kind === kind)
      if (at < 0) continue
      heard = at + 1
      return lines[at]
    }
    return assert.fail(`nothing was said of ${kind}: ${JSON.stringify(lines)}`)
  }
  const { url } = await next('started')
  const made = spawn(bin, ['keys', 'create', '--name', 'k', '--connections', '*'], { cwd: folder, env })
  let key = ''
  made.stdout.on('data', (part: Buffer) => (key += part))
  await once(made, 'close')
  const status = async (id: string) => (await ask(url, `/v1/connections/${id}/apps?limit=1`, key.trim())).status
  return { folder, child, lines, write, next, status }
}

test('a changed settings file takes effect within two seconds, and removed connections are gone', async (t) => {
  const { write, next, status } = await startServing(t)
  assert.equal(await status('one'), 200)
  write({ connections: { two: { ...team, keyId: 'SECOND', privateKeyFile: 'second.p8' } } })
  const { connections, needRestart } = await next('reloaded')
  assert.deepEqual([connections, needRestart], [1, []])
  assert.deepEqual([await status('one'), await status('two')], [404, 200])
  write({ connections: { one: team }, audit: { reads: true } })
  assert.deepEqual((await next('reloaded')).needRestart, ['audit.reads'])
})

test('a changed key file takes effect', async (t) => {
  const { folder, next, status } = await startServing(t)
  writeFileSync(join(folder, 'first.p8'), second.pem)
  await next('reloaded')
  assert.equal(await status('one'), 502, 'the platform knows another key under this id')
  writeFileSync(join(folder, 'first.p8'), first.pem)
  await next('reloaded')
  assert.equal(await status('one'), 200)
})

test('F157: an invalid change is reported, and the last valid state stays', async (t) => {
  const { folder, lines, write, next, status } = await startServing(t)
  const cases: [() => void, RegExp][] = [
    [() => write('{ "connections": '), /vitrine\.json:1:18: the settings file is not JSON/],
    [() => write({ connections: { one: team }, lisen: 'x' }), /lisen: there is no such setting/],
    [() => write({ connections: { one: { ...team, privateKeyFile: 'none.p8' } } }), /one\.privateKeyFile.*ENOENT/],
    [() => writeFileSync(join(folder, 'keys.txt'), 'k1:CANARY'), /masterKeysFile/],
  ]
  for (const [change, reason] of cases) {
    change()
    assert.match((await next('reload_refused')).reason, reason)
    assert.equal(await status('one'), 200)
  }
  writeFileSync(join(folder, 'keys.txt'), masterKeys('k1'))
  write({ connections: { one: team } })
  await next('reloaded')
  writeFileSync(join(folder, 'first.p8'), `CANARY${first.pem.slice(0, 60)}`)
  await next('reload_refused')
  assert.equal(await status('one'), 200)
  assert.doesNotMatch(JSON.stringify(lines), /CANARY|BEGIN/)
  writeFileSync(join(folder, 'first.p8'), first.pem)
  write({ connections: { one: team, more: team } })
  for (let served = 0; served !== 2;) served = (await next('reloaded')).connections
  assert.equal(await status('more'), 200)
})

test('F179: SIGHUP reads everything again, and a burst of changes ends in the last one', async (t) => {
  const { child, folder, write, next, status } = await startServing(t)
  child.kill('SIGHUP')
  assert.equal((await next('reloaded')).connections, 1)
  for (let n = 0; n <= 50; n++) {
    write({ connections: { [`c${n}`]: team } })
    await sleep(n % 7)
    if (n % 10 === 0) child.kill('SIGHUP')
  }
  for (const until = Date.now() + 6_000; (await status('c50')) !== 200; await sleep(50)) assert.ok(Date.now() < until)
  assert.equal(await status('c49'), 404)
  assert.equal(child.exitCode, null)
  assert.ok(readFileSync(join(folder, 'vitrine.json'), 'utf8').includes('c50'))
})
