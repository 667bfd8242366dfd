// A service between its stop signal and its end: which requests it answers, which it rejects, and how long it may take.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, full, operatorToken } from '../stored-connections/program.ts'
import { page } from '../support/example-routes.ts'
import { freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { noHaproxy, startHaproxy } from '../support/haproxy.ts'
import { noRedis, redisUrl } from '../../../base/test/redis.ts'
import { type Script, send } from '../support/scripted-platform.ts'
import { startTcpProxy } from '../../../base/test/tcp-proxy.ts'
import { until } from '../../../base/test/until.ts'
import { type Running, startRunning } from './service-process.ts'

const pathOf = (n: number): string => `/v1/connections/studio/subscriptions/s${n}/offer-codes`

interface Said {
  readonly status: number | undefined
  readonly connection: string | undefined
  readonly code: string | undefined
}

function over(agent: Agent, url: string, path: string, key = ''): Promise<Said> {
  return new Promise((ok, no) => {
    const req = request(new URL(path, url), { agent, headers: { authorization: `Bearer ${key}` } }, (res) => {
      const parts: Buffer[] = []
      res.on('data', (part: Buffer) => parts.push(part)).on('error', no)
      res.on('end', () => {
        const code = JSON.parse(Buffer.concat(parts).toString()).error?.code
        ok({ status: res.statusCode, connection: res.headers.connection, code })
      })
    })
    req.on('error', no).end()
  })
}

test('a draining service first becomes unready, then answers with Connection: close, and only then rejects new sockets', async (t) => {
  const script: Script = (call, res) =>
    void setTimeout(() => send(res, page.healthy), call.path.includes('s9/') ? 700 : 0)
  const running = await startRunning(t, { script, settings: { drainSeconds: 1 } })
  const { url, operatorUrl, key } = running
  const agents = Array.from({ length: 4 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  t.after(() => agents.forEach((agent) => agent.destroy()))
  const [one, two, three, four] = agents as [Agent, Agent, Agent, Agent]
  for (const [agent, endpoint] of [
    [one, url],
    [two, operatorUrl],
    [three, url],
  ] as const)
    assert.equal((await over(agent, endpoint, '/livez')).connection, 'keep-alive')
  // requested before the signal, and answered after it
  const slow = over(four, url, pathOf(9), key)
  await until(() => running.platform.calls.some(({ path }) => path.includes('s9')))
  const ended = running.kill('SIGTERM')
  await until(async () => (await ask(url, '/readyz', '')).status === 503)
  const begun = performance.now()
  const gone = { status: 503, connection: 'close', code: 'stopping' }
  assert.deepEqual(await over(one, url, '/readyz'), gone)
  assert.deepEqual(await over(two, operatorUrl, '/readyz'), gone)
  for (const endpoint of [url, operatorUrl]) assert.equal((await ask(endpoint, '/livez', '')).status, 200)
  assert.deepEqual(await over(one, url, pathOf(1), key), { status: 200, connection: 'close', code: undefined })
  assert.deepEqual(await slow, { status: 200, connection: 'close', code: undefined })
  // an idle socket is served even while new ones are rejected
  await until(() =>
    ask(url, '/livez', '').then(
      () => false,
      (error: Error) => /ECONNREFUSED/.test(error.message),
    ),
  )
  assert.ok(performance.now() - begun > 500)
  assert.deepEqual(await over(three, url, pathOf(2), key), { status: 200, connection: 'close', code: undefined })
  await ended
  assert.equal(running.exitCode(), 0)
})

test(
  'behind the shipped balancer, a request in progress outlasts the drain, and health checks are answered until it ends',
  { skip: noHaproxy },
  async (t) => {
    const script: Script = (_, res) => void setTimeout(() => send(res, page.healthy), 6_000)
    const running = await startRunning(t, { script, settings: { drainSeconds: 1 } })
    const { url, operatorUrl, key, platform } = running
    const only = { port: Number(new URL(url).port), operatorPort: Number(new URL(operatorUrl).port) }
    const changes = [[/ ssl crt \S+ alpn \S+/, '']] as const
    const haproxy = await startHaproxy(t, { replicas: [only, only], changes })
    const slow = over(new Agent(), haproxy.url, pathOf(1), key)
    await until(() => platform.calls.length > 0)
    const ended = running.kill('SIGTERM')
    await until(async () => (await ask(url, '/readyz', '')).status === 503)
    const from = performance.now()
    const checks: Said[] = []
    while (performance.now() - from < 4_000) {
      checks.push(await over(new Agent(), url, '/readyz'))
      await sleep(200)
    }
    const gone = { status: 503, connection: 'close', code: 'stopping' }
    assert.deepEqual(new Set(checks.map((said) => JSON.stringify(said))), new Set([JSON.stringify(gone)]))
    // new sockets are rejected
    assert.deepEqual(await over(new Agent(), url, pathOf(2), key), gone)
    assert.equal((await slow).status, 200)
    await ended
    assert.equal(running.exitCode(), 0)
  },
)

test('a second signal ends the service at once', async (t) => {
  const running = await startRunning(t, { settings: { drainSeconds: 7 } })
  const from = performance.now()
  const ended = running.kill('SIGTERM')
  await until(async () => (await ask(running.url, '/readyz', '')).status === 503)
  process.kill(running.pid(), 'SIGTERM')
  await ended
  assert.equal(running.exitCode(), 1)
  assert.ok(performance.now() - from < 5_000)
})

/** 8 MB for a reader who reads none of it, and no answer for the others */
const slowAndLarge = (): Script => {
  const comment = 'x'.repeat(40_000)
  const data = Array.from({ length: 190 }, (_, n) => ({
    type: 'betaFeedbackScreenshotSubmissions',
    id: `f${n}`,
    attributes: { comment },
  }))
  const large = Buffer.from(JSON.stringify({ data, links: {} }))
  return (call, res) => {
    if (call.path.startsWith('/v1/apps')) send(res, large)
    else setTimeout(() => send(res, page.healthy), 60_000).unref()
  }
}

async function hang(t: TestContext, port: number, path: string, key: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  t.after(() => socket.destroy())
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  return socket
}

/**
 * everything that could delay the end: streams, and in the full size also slow readers, calls to a silent platform, and half a
 * request
 */
async function holdUp(t: TestContext, { url, operatorUrl, key, platform }: Running) {
  const [port, operatorPort] = [url, operatorUrl].map((one) => Number(new URL(one).port)) as [number, number]
  const feedback = '/v1/connections/studio/apps/a/beta-feedback-screenshot-submissions?limit=200'
  const stalled = await Promise.all([
    ...(full ? [1, 2] : []).map(() => hang(t, port, feedback, key)),
    ...[1, 2].map(() => hang(t, operatorPort, '/operator/v1/events', operatorToken)),
  ])
  // the head has arrived, and nothing more is read
  await Promise.all(stalled.map((socket) => once(socket, 'readable')))
  if (!full) return { waiting: [] }
  const half = connect(port, '127.0.0.1').on('error', () => undefined)
  t.after(() => half.destroy())
  half.write('GET /livez HTTP/1.1\r\nX-Half: ')
  const waiting = Promise.allSettled([11, 12, 13].map((n) => ask(url, pathOf(n), key)))
  await until(() => platform.calls.filter(({ path }) => path.includes('/s1')).length === 3)
  return { waiting }
}

const away = { skip: noPostgres || noRedis, timeout: 90_000 }

async function endWithAllAway(t: TestContext) {
  const database = await freshDatabase()
  const store = await startTcpProxy({ port: Number(new URL(database.url).port || 5432) })
  const redis = await startTcpProxy({ port: Number(new URL(redisUrl).port || 6379) })
  const location = new URL(database.url)
  location.host = `127.0.0.1:${store.port}`
  const running = await startRunning(t, {
    script: slowAndLarge(),
    settings: {
      store: location.href,
      redis: `redis://127.0.0.1:${redis.port}`,
      drainSeconds: 1,
      audit: { reads: true },
    },
    upstream: { timeoutMs: 60_000, headersMs: 60_000, totalMs: 60_000 },
  })
  t.after(async () => {
    await Promise.all([store.close(), redis.close()])
    await database.drop()
  })
  const { waiting } = await holdUp(t, running)
  const from = performance.now()
  const ended = running.kill('SIGTERM')
  await sleep(100)
  for (const wire of [store, redis]) wire.setState('frozen')
  await ended
  const tookMs = performance.now() - from
  assert.equal(running.exitCode(), 0)
  assert.ok(tookMs < 15_000, `${tookMs} ms`)
  for (const answer of await waiting) {
    assert.ok(answer.status === 'fulfilled', 'no caller is cut off')
    assert.deepEqual([answer.value.status, answer.value.json.error.code], [504, 'upstream_timeout'])
  }
  t.diagnostic(`gone after ${Math.round(tookMs)} ms`)
}

test(
  'the service stops cleanly within 15 seconds while the store, Redis and all callers are frozen',
  away,
  endWithAllAway,
)
