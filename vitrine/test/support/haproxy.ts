// The shipped haproxy.cfg, run by a real HAProxy. Only its addresses and its certificate are replaced, and a socket is
// added that reports the status of its servers.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Balancer } from '../../../base/test/balancer.ts'
import { makeIdentity } from '../../../base/test/certificates.ts'
import { until } from '../../../base/test/until.ts'
import { freePort } from '../../../base/test/free-port.ts'

const isThere = spawnSync('haproxy', ['-v']).status === 0
export const noHaproxy: string | false =
  isThere || process.env['CI'] ? false : 'NOT TRIED: haproxy is not installed (apt-get install haproxy)'

/** where the two endpoints of a replica listen, on this machine */
export interface Replica {
  readonly port: number
  readonly operatorPort: number
}

type Change = readonly [from: string | RegExp, to: string]

export interface HaproxyOptions {
  readonly replicas: readonly [Replica, Replica]
  /** further replacements; each must match */
  readonly changes?: readonly Change[]
}

export interface Haproxy extends Pick<Balancer, 'url' | 'port' | 'states' | 'downs' | 'turnedAway' | 'close'> {
  readonly operatorPort: number
  /** HAProxy's own status: UP, NOLB while draining, DOWN */
  status(port: number): string | undefined
}

const file = join(import.meta.dirname, '../../deploy/haproxy.cfg')

function replaceAll(text: string, changes: readonly Change[]): string {
  return changes.reduce((now, [from, to]) => {
    const then = now.replace(from, to)
    assert.notEqual(then, now, `haproxy.cfg has no ${from}`)
    return then
  }, text)
}

async function ask(path: string, command: string): Promise<string> {
  const socket = connect(path)
  socket.end(`${command}\n`)
  const parts: Buffer[] = await socket.toArray()
  return Buffer.concat(parts).toString()
}

/** name and status of each server in the public backend */
async function statusOf(path: string): Promise<Map<string, string>> {
  const [head = '', ...lines] = (await ask(path, 'show stat')).replace(/^# /, '').trim().split('\n')
  const at = head.split(',').indexOf('status')
  const rows = lines.map((line) => line.split(',')).filter(([proxy]) => proxy === 'replicas')
  return new Map(rows.map((row) => [row[1] ?? '', row[at]?.split(' ')[0] ?? '']))
}

interface Watch {
  readonly status: (port: number) => string | undefined
  readonly downs: ReturnType<Balancer['downs']>[number][]
  stop(): void
}

/** polls all the time, so that short states are recorded too */
function watch(path: string, replicas: readonly Replica[]): Watch {
  let now = new Map<string, string>()
  const downs: Watch['downs'] = []
  const status = (port: number) => now.get(`vitrine-${replicas.findIndex((one) => one.port === port) + 1}`)
  async function look() {
    const before = replicas.map(({ port }) => status(port))
    now = await statusOf(path).catch(() => now)
    for (const [at, { port }] of replicas.entries())
      if (before[at] === 'UP' && status(port) !== 'UP') downs.push({ port, said: status(port) })
  }
  const looking = setInterval(() => void look(), 100)
  return { status, downs, stop: () => clearInterval(looking) }
}

export async function startHaproxy(t: TestContext, { replicas, changes = [] }: HaproxyOptions): Promise<Haproxy> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-haproxy-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [pem, path] = [join(folder, 'tls.pem'), join(folder, 'stats')]
  const { key, cert } = makeIdentity({ name: 'localhost', host: '127.0.0.1' })
  writeFileSync(pem, `${cert}${String(key.export({ type: 'pkcs8', format: 'pem' }))}`, { mode: 0o600 })
  const [port, operatorPort, alivePort] = [await freePort(), await freePort(), await freePort()]
  const text = replaceAll(readFileSync(file, 'utf8'), [
    ['  log stdout', `  stats socket ${path} level admin\n  log stdout`],
    ['/run/secrets/tls.pem', pem],
    ['bind :8443', `bind 127.0.0.1:${port}`],
    ['bind :8081', `bind 127.0.0.1:${operatorPort}`],
    ['bind 127.0.0.1:8404', `bind 127.0.0.1:${alivePort}`],
    ...replicas.flatMap((one, at) => [
      [`vitrine-${at + 1}:8080`, `127.0.0.1:${one.port}`] as const,
      [`vitrine-${at + 1}:8081`, `127.0.0.1:${one.operatorPort}`] as const,
    ]),
    ...changes,
  ])
  const cfg = join(folder, 'haproxy.cfg')
  writeFileSync(cfg, text)
  const child = spawn('haproxy', ['-db', '-f', cfg], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += String(part)))
  const ended = once(child, 'exit')
  const watching = watch(path, replicas)
  async function close() {
    watching.stop()
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  }
  t.after(close)
  await until(() => {
    assert.equal(child.exitCode, null, said)
    return replicas.every((one) => watching.status(one.port) === 'UP')
  })
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    operatorPort,
    close,
    status: watching.status,
    states: () =>
      replicas.map((one) => ({
        host: '127.0.0.1',
        port: one.port,
        up: watching.status(one.port) === 'UP',
        said: watching.status(one.port),
        open: 0,
        given: 0,
      })),
    downs: () => watching.downs,
    turnedAway: () => 0,
  }
}
