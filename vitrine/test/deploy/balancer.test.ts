// The shipped haproxy.cfg under attack from several local addresses: other callers are served meanwhile.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectH2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { noHaproxy, startHaproxy } from '../support/haproxy.ts'
import { until } from '../../../base/test/until.ts'
import { attacker, get, holdSilent, other, secure, slowly, standIn, startScene, trusting } from './balancer-scene.ts'

const skip = noHaproxy

const served = async (port: number, from = other): Promise<number[]> => {
  const statuses: number[] = []
  for (let n = 0; n < 12; n++) statuses.push(await get(port, from).catch(() => 0))
  return statuses
}
const all200 = Array.from({ length: 12 }, () => 200)

/** a tenth of every total limit, so that a test can reach it */
const tenth = [
  ['maxconn 8000', 'maxconn 800'],
  ['maxconn 7500', 'maxconn 750'],
  ['fe_conn gt 6000', 'fe_conn gt 600'],
] as const

test('one address can hold 200 idle sockets, and other addresses are served', { skip }, async (t) => {
  const { haproxy } = await startScene(t, {})
  const held = await holdSilent(t, haproxy.port, 1_000)
  assert.ok(held() <= 200, `${held()} are held`)
  assert.deepEqual(await served(haproxy.port), all200)
  await assert.rejects(get(haproxy.port, attacker))
})

test('several addresses with idle sockets cannot take all connections together', { skip }, async (t) => {
  const { haproxy } = await startScene(t, { changes: tenth })
  for (let n = 0; n < 6; n++) await holdSilent(t, haproxy.port, 250, `127.0.1.${n + 1}`)
  assert.deepEqual(await served(haproxy.port), all200)
})

test('a socket without a TLS handshake or a complete request is closed within seconds', { skip }, async (t) => {
  const { haproxy, replicas } = await startScene(t, {})
  const { port } = haproxy
  const from = performance.now()
  const seconds = async (socket: Socket) => {
    await Promise.race([once(socket.on('error', () => undefined).resume(), 'close'), sleep(14_000)])
    socket.destroy()
    return Math.round((performance.now() - from) / 1_000)
  }
  const dripping = (head: string) => {
    const socket = secure(port)
    socket.write(head)
    const drip = setInterval(() => socket.writable && socket.write('a: b\r\n'), 500)
    socket.on('close', () => clearInterval(drip))
    return socket
  }
  const took = await Promise.all([
    seconds(connect({ port, host: '127.0.0.1', localAddress: attacker })),
    seconds(dripping('')),
    seconds(dripping('GET / HTTP/1.1\r\nHost: x\r\n')),
    seconds(dripping('POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n')),
    seconds(secure(port, 'h2')),
  ])
  const [handshake, ...others] = took
  assert.ok(handshake <= 12, `${handshake} s`)
  for (const one of others) assert.ok(one <= 8, `${took.join(' ')} s`)
  assert.deepEqual(
    replicas.map((one) => one.asked()),
    [0, 0],
    'a replica is asked when the request is whole',
  )
})

test(
  'one address that reads no answers has at most 200 requests under way, over any number of sockets',
  { skip },
  async (t) => {
    const { haproxy, replicas } = await startScene(t, { answer: (_, res) => void res.end(Buffer.alloc(300_000)) })
    const sessions = Array.from({ length: 10 }, () =>
      connectH2(`https://127.0.0.1:${haproxy.port}`, {
        localAddress: attacker,
        ...trusting,
        settings: { initialWindowSize: 0 },
      } as object),
    )
    t.after(() => sessions.forEach((session) => session.destroy()))
    const refused: string[] = []
    const streams = sessions.flatMap((session) => {
      session.on('error', () => undefined)
      return Array.from({ length: 90 }, () => {
        const stream = session.request({ ':path': '/openapi.json' })
        stream.on('error', () => undefined)
        stream.on('response', (head) => head[':status'] === 429 && refused.push(String(head['retry-after'])))
        return stream
      })
    })
    const asked = () => replicas.reduce((sum, one) => sum + one.asked(), 0)
    await until(() => refused.length + asked() >= streams.length)
    assert.ok(asked() <= 200, `${asked()} of ${streams.length} reached a replica`)
    assert.deepEqual(new Set(refused), new Set(['1']))
    assert.deepEqual(await served(haproxy.port), all200)
  },
)

test('a replica that is not ready finishes its requests and gets no new ones', { skip }, async (t) => {
  let isReady = true
  const [one, two] = [
    await standIn(t, slowly(3_000), () => (isReady ? 200 : 503)),
    await standIn(t, slowly(3_000)),
  ] as const
  const haproxy = await startHaproxy(t, { replicas: [one, two] })
  const slow = Array.from({ length: 4 }, () => get(haproxy.port))
  for (const answer of slow) answer.catch(() => undefined)
  await until(() => one.asked() + two.asked() === 4)
  isReady = false
  await until(() => haproxy.status(one.port) === 'NOLB')
  assert.deepEqual(await Promise.all(slow), [200, 200, 200, 200])
  assert.equal(one.asked(), 2)
  await Promise.all(Array.from({ length: 3 }, () => get(haproxy.port)))
  assert.deepEqual([haproxy.status(one.port), one.asked(), two.asked()], ['NOLB', 2, 5])
  isReady = true
  await until(() => haproxy.status(one.port) === 'UP')
})

test('requests to a replica that stopped answering end soon at both endpoints', { skip }, async (t) => {
  let isSilent = false
  const [one, two] = [
    await standIn(
      t,
      () => undefined,
      () => (isSilent ? undefined : 200),
    ),
    await standIn(t),
  ] as const
  const haproxy = await startHaproxy(t, { replicas: [one, two] })
  const waiting = [get(haproxy.port, other, '/', 20_000), get(haproxy.port, other, '/', 20_000)]
  const stream = fetch(`http://127.0.0.1:${haproxy.operatorPort}/`, { signal: AbortSignal.timeout(20_000) })
  await until(() => one.asked() === 2)
  isSilent = true
  // reads are repeated on the other replica
  assert.deepEqual(await Promise.all(waiting), [200, 200])
  assert.equal((await stream).status, 502)
})
