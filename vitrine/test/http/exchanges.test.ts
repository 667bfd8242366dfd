import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import test from 'node:test'
import { createProxies } from '../../../base/web/address.ts'
import { createMatcher } from '../../src/engine/request.ts'
import { makeRequestId } from '../../../base/web/exchange.ts'
import { routes } from '../../src/catalogue/index.ts'
import { until } from '../../../base/test/callers.ts'
import { pagePath, startRaw, startSlow } from '../support/raw-service.ts'
import { startScripted } from '../support/service.ts'

test('request ids have 96 random bits and never repeat', () => {
  const ids = Array.from({ length: 10_000 }, makeRequestId)
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, /^req_[\w-]{16}$/)
  // each letter of the random part takes each of its 64 values
  for (let at = 4; at < 20; at++) assert.equal(new Set(ids.map((id) => id[at])).size, 64)
})

/** the first head that comes back */
async function headOf(port: number, bytes: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' })
  let text = ''
  socket.write(bytes)
  for await (const part of socket) {
    text += part
    if (text.includes('\r\n\r\n')) break
  }
  return text.slice(0, text.indexOf('\r\n\r\n'))
}

test('no response has a header field twice', async (t) => {
  const { service, get } = await startRaw(t, { file: { cacheSeconds: 60 } })
  const asked = [
    ...[pagePath, `${pagePath}?limt=1`, '/v1/whoami', '/v1/nothing', '/healthz', '/docs'].map((path) => get(path)),
    get(pagePath, 'If-None-Match: *\r\n'),
    get(pagePath, 'Expect: 100-continue\r\n'),
    get(pagePath, '', '2.0'),
    get('/healthz', '', '1.0'),
    get(pagePath, 'Connection: close\r\n'),
    get('/healthz', 'Content-Length: 5\r\n'),
  ]
  for (const bytes of asked) {
    const [first = '', ...lines] = (await headOf(service.port, bytes)).split('\r\n')
    const names = lines.map((line) => line.split(':', 1)[0]?.toLowerCase())
    assert.deepEqual(names, [...new Set(names)], bytes)
    for (const name of ['x-request-id', 'cache-control', 'x-content-type-options', 'date', 'connection'])
      assert.ok(names.includes(name), `${name} of ${bytes}`)
    assert.equal(names.includes('content-length'), !first.includes(' 304 '))
  }
})

test('the Content-Length of an answer beyond ASCII counts bytes, for small and large answers', async (t) => {
  for (const times of [1, 100, 5_000]) {
    const name = 'Zürich 東京 '.repeat(times)
    const { service, close } = await startScripted((_, res) => {
      res.setHeader('content-type', 'application/json')
      res.end(JSON.stringify({ data: [{ type: 'apps', id: 'a1', attributes: { name } }], links: {} }))
    })
    t.after(close)
    const { headers, text, json } = await service.ask('/apps?fields=name')
    assert.equal(json.items[0].name, name)
    assert.equal(headers['content-length'], String(Buffer.byteLength(text)))
  }
})

test('an unexpected error is a single 500 with its source location in the log, and the next request is answered', async (t) => {
  const { service, platform, close } = await startScripted(() => {})
  t.after(close)
  const before = JSON.stringify
  let broken = true
  JSON.stringify = ((value: unknown, ...rest: []) => {
    if (broken && (value as { allConnections?: boolean } | null)?.allConnections !== undefined)
      throw new RangeError('x')
    return before(value, ...rest)
  }) as typeof JSON.stringify
  t.after(() => (JSON.stringify = before))
  const { status, json } = await service.ask('/v1/whoami')
  broken = false
  assert.deepEqual([status, json.error.code], [500, 'internal_error'])
  assert.ok(service.events.some((event) => event.kind === 'failed' && event.reason === 'RangeError'))
  assert.equal((await service.ask('/v1/whoami')).status, 200)
  assert.equal(platform.calls.length, 0)
})

test('when a caller half-closes the socket, all of its pipelined requests are cancelled after a second', async (t) => {
  const { service, get, waiting, platform } = await startSlow(t, {})
  const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true })
  await once(socket, 'connect')
  const asked = [1, 2, 3].map((limit) => get(`/v1/connections/acme/apps?limit=${limit}`))
  socket.write(asked.join(''))
  await until('three wait', () => waiting.length === 3)
  socket.end()
  await until('their calls are ended', () => platform.calls.every((call) => call.socket.destroyed))
  const told = () => service.events.filter((event) => event.kind === 'answered' && event.operation === 'listApps')
  await until('all are told of', () => told().length === 3)
  assert.ok(told().every((event) => event.kind === 'answered' && event.status === 499))
  socket.destroy()
})

test('the address of a socket is read once, and the header of a proxy for each request', () => {
  let looks = 0
  const socketFrom = (address: string) => ({
    get remoteAddress() {
      looks++
      return address
    },
  })
  const { callerOf } = createProxies(['10.0.0.1'])
  const [proxy, stranger] = [socketFrom('::ffff:10.0.0.1'), socketFrom('192.0.2.1')]
  const from = (socket: object, forwarded?: string) =>
    callerOf({ socket, headers: { ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) } } as never)
  assert.deepEqual(
    [from(proxy, '203.0.113.5'), from(proxy, '203.0.113.6'), from(proxy)],
    ['203.0.113.5', '203.0.113.6', '10.0.0.1'],
  )
  assert.deepEqual([from(stranger, '203.0.113.5'), from(stranger)], ['192.0.2.1', '192.0.2.1'])
  assert.equal(looks, 2)
})

test('a path whose connection or length does not fit matches no route', () => {
  const match = createMatcher(routes)
  assert.deepEqual(match('/v1/connections/a%2Fb/apps')?.connection, 'a/b')
  assert.deepEqual(match('/v1/connections/c/apps/%2e/versions/ids')?.ids, { appId: '.' })
  for (const path of [
    '',
    '/',
    '/v1',
    '/v1/connections',
    '/v1/connections/',
    '/v1/connections/c',
    '/v1/connections/c/',
    '/v1/connections/%zz/apps',
    '/v2/connections/c/apps',
    'v1/connections/c/apps',
    '/v1/connections/c//apps',
    '/v1/connections/c/constructor',
    '/v1/connections/c/__proto__/x',
    '/V1/connections/c/apps',
    '/v1/connections/c/apps/%zz/versions/ids',
  ])
    assert.equal(match(path), undefined, path)
})
