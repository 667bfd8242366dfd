// F01, F05, F06, F10: the connection to the platform fails. Names are in host-names.test.ts, TLS in tls.test.ts.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { page } from '../support/example-routes.ts'
import { answerOf, respond, respondAndReset, startRawPlatform } from '../support/raw-platform.ts'
import { startService } from '../support/service.ts'
import { checkExpected, faults, type Ground, healthyAgain } from './fault.ts'

const run = promisify(execFile)
const healthy = respond(answerOf(JSON.stringify(page.healthy)))
const unavailable = { status: 503, type: 'upstream_error', code: 'upstream_unavailable' }
const late = { status: 504, type: 'upstream_error', code: 'upstream_timeout' }

/** a closed port below the range that systems assign automatically, so that it stays closed */
async function closedPort(): Promise<Ground> {
  const gone = await startRawPlatform(healthy, { port: randomInt(20_000, 32_000) })
  await gone.close()
  const platform = { ...gone }
  const heal = async () => {
    const back = await startRawPlatform(healthy, { port: Number(new URL(gone.url).port) })
    platform.close = back.close
  }
  return { platform, heal }
}

faults([
  {
    id: 'F01',
    fault: 'the connection is refused, always',
    ground: closedPort,
    expect: { ...unavailable, calls: 3 },
  },
  {
    id: 'F06',
    fault: 'reset on accept, once',
    raw: [respondAndReset(''), healthy],
    expect: { status: 200, json: page.answer, calls: 2 },
  },
  {
    id: 'F06',
    fault: 'reset on accept, always, before a request was read',
    async ground() {
      let isSick = true
      const platform = await startRawPlatform(healthy, {
        wrap: (socket, ready) => (isSick ? void socket.resetAndDestroy() : ready(socket)),
      })
      return { platform, heal: () => void (isSick = false) }
    },
    expect: { ...unavailable, calls: 3 },
  },
])

/** a suspended platform process: its queue of sockets fills, and then no SYN is answered */
const deafPlatform = `
  const body = process.argv[1]
  const server = require('node:http').createServer((_, res) => {
    res.setHeader('content-type', 'application/json')
    res.end(body)
  })
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port))
`

const isAnswered = (socket: Socket): Promise<boolean> =>
  Promise.race([new Promise<true>((ok) => socket.once('connect', () => ok(true))), sleep(500, false)])

/** rejects if connections succeed all the same, as they may on another system */
async function startDeafPlatform() {
  const child = spawn(process.execPath, ['-e', deafPlatform, JSON.stringify(page.healthy)])
  const port = Number(String(await new Promise((ok) => child.stdout.once('data', ok))))
  child.kill('SIGSTOP')
  const fill: Socket[] = []
  const letGo = () => fill.forEach((socket) => socket.destroy())
  const close = async () => {
    letGo()
    child.kill('SIGKILL')
    await new Promise((ok) => child.once('close', ok))
  }
  for (let i = 0; i < 20; i++) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    fill.push(socket)
    if (!(await isAnswered(socket))) {
      const heal = () => {
        letGo()
        child.kill('SIGCONT')
      }
      return { url: `http://127.0.0.1:${port}`, heal, close }
    }
  }
  await close()
  return undefined
}

for (const [how, timeoutMs, connectMs, calls] of [
  ['each time for as long as a connection may take', 6_000, 200, 3],
  ['beyond the deadline', 500, 5_000, undefined],
] as const)
  test(`F05: a SYN is never answered, ${how}`, { timeout: 60_000 }, async (t) => {
    const platform = await startDeafPlatform()
    if (!platform) return t.skip('this system completes connections that no program accepts')
    const service = await startService(platform.url, { file: { upstream: { timeoutMs, connectMs } } })
    t.after(() => service.close().then(platform.close))
    const startedAt = performance.now()
    checkExpected(await service.ask(page.path), { ...late, calls: 3 })
    assert.ok(performance.now() - startedAt < timeoutMs + 1_000)
    const called = service.events.filter(({ kind }) => kind === 'called').length
    if (calls !== undefined) assert.equal(called, calls)
    await healthyAgain({ service, heal: platform.heal })
  })

/** a network with two local ports, both in use until the first answer came */
const withoutPorts = ['ip link set lo up', 'echo "40000 40001" >/proc/sys/net/ipv4/ip_local_port_range']
const program = new URL('exhausted-ports.ts', import.meta.url).pathname

test('F10: no local port is free, then one is', { timeout: 60_000 }, async (t) => {
  const apart = ['--user', '--map-root-user', '--net', 'sh', '-ec']
  const possible = await run('unshare', [...apart, withoutPorts.join(';')]).catch(() => undefined)
  if (!possible) return t.skip('this system gives no network of its own to a test')
  const script = [...withoutPorts, 'exec "$0" --disable-proto=delete "$1"'].join(';')
  const { stdout } = await run('unshare', [...apart, script, process.execPath, program])
  assert.deepEqual(JSON.parse(stdout), {
    taken: 'EADDRNOTAVAIL',
    without: [503, 'upstream_error', 'upstream_unavailable'],
    calls: 3,
    socketsLeft: 2,
    after: [200, page.answer],
  })
})
