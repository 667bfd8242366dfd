// The proxy before real servers: what it lets out, and what is refused before anything is connected.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import test, { type TestContext } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { makeIdentity } from '../../../base/test/certificates.ts'
import { until } from '../../../base/test/until.ts'
import { ask, openProxy, openTunnel, type ProxyRigOptions, readUntil, statusOf } from './proxy-rig.ts'
import { openHttpTarget, openTlsTarget } from './targets.ts'

const ca = makeIdentity({ name: 'test authority' })
const certified = (host: string) => makeIdentity({ name: host, by: ca, host })

async function openPlain(t: TestContext, options: Partial<ProxyRigOptions> = {}) {
  const target = await openHttpTarget(t)
  return { target, host: `api.example.com:${target.port}`, rig: openProxy(t, { ports: [target.port], ...options }) }
}

async function openEcho(t: TestContext, options: Partial<ProxyRigOptions> = {}) {
  const target = await openTlsTarget(t, certified('api.example.com'), (socket) => socket.pipe(socket))
  return { target, host: `api.example.com:${target.port}`, rig: openProxy(t, { ports: [target.port], ...options }) }
}

test('a request with a whole URL reaches an allowed host, without what is meant for the proxy', async (t) => {
  const { target, host, rig } = await openPlain(t)
  const lines = [
    `POST http://${host}/path?a=1 HTTP/1.1`,
    `Host: ${host}`,
    'Proxy-Authorization: Basic x',
    'Connection: close, X-Own',
    'X-Own: 1',
    'TE: trailers',
    'Authorization: Bearer y',
    'Content-Length: 4',
  ]
  const said = await ask(rig, `${lines.join('\r\n')}\r\n\r\nbody`)
  assert.equal(statusOf(said), 200)
  assert.ok(said.endsWith(`hello from ${host}`))
  const [{ method, url, headers, body } = assert.fail('nothing was asked')] = target.asked
  assert.deepEqual([method, url, body], ['POST', '/path?a=1', 'body'])
  const names = headers.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase())
  assert.deepEqual(names.toSorted(), ['authorization', 'connection', 'content-length', 'host'])
  await until(() => rig.connections.taken === 0)
  assert.deepEqual(rig.outcomes(), ['forwarded'])
})

test('requests on one connection are answered one after the other, chunked bodies too', async (t) => {
  const { target, host, rig } = await openPlain(t)
  const one = `GET http://${host}/1 HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const two = `PUT http://${host}/2 HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`
  const last = `GET http://${host}/3 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
  const said = await ask(rig, one + two + last)
  assert.equal(said.match(/HTTP\/1\.1 200/g)?.length, 3)
  assert.deepEqual(target.asked.map(({ url }) => url).toSorted(), ['/1', '/2', '/3'])
  assert.equal(target.asked.find(({ url }) => url === '/2')?.body, 'abc')
})

test('hosts, ports and addresses that are not allowed are refused, and nothing is connected', async (t) => {
  const { target, rig } = await openPlain(t, {
    operatorHosts: ['*.example.com'],
    hosts: ['api.example.com', 'pypi.org'],
  })
  const { port } = target
  const cases: [string, number][] = [
    [`http://other.example.com:${port}/`, 403],
    [`http://pypi.org:${port}/`, 403],
    [`http://api.example.com:${port + 1}/`, 403],
    ['http://api.example.com/', 403],
    [`http://127.0.0.1:${port}/`, 403],
    [`http://2130706433:${port}/`, 403],
    [`http://0x7f.1:${port}/`, 403],
    [`http://127.1:${port}/`, 403],
    [`http://localhost:${port}/`, 403],
    [`http://api.example.com.:${port}/`, 403],
    [`http://[::1]:${port}/`, 400],
    [`http://[::ffff:127.0.0.1]:${port}/`, 400],
    [`http://user@api.example.com:${port}/`, 400],
    [`http://api.example.com:${port}@evil.example/`, 400],
    [`http://api.example.com:${port}\\@evil.example/`, 400],
    [`http://api.example.com:/`, 400],
    [`http://api.example.com:+${port}/`, 400],
    [`https://api.example.com:${port}/`, 400],
    [`ftp://api.example.com:${port}/`, 400],
    [`//api.example.com:${port}/`, 400],
    ['/', 400],
    ['*', 400],
  ]
  for (const [url, status] of cases) {
    const host = /^\w+:\/\/([^/]*)/.exec(url)?.[1] ?? 'x'
    const said = await ask(rig, `GET ${url} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    assert.equal(statusOf(said), status, `${url}: ${said}`)
    assert.match(said, /\r\nProxy-Status: atelier; error=\w+\r\n/, url)
  }
  assert.equal(target.sockets(), 0)
})

test('a request with two credentials is refused, because hosts may read either', async (t) => {
  const { target, rig } = await openPlain(t)
  const host = `api.example.com:${target.port}`
  const two = 'Authorization: Basic YTpi\r\nAuthorization: Basic Yzpk\r\n'
  const said = await ask(rig, `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n${two}Connection: close\r\n\r\n`)
  assert.equal(statusOf(said), 400, said)
  assert.equal(target.sockets(), 0)
})

test('CONNECT goes to a name and a port of the lists alone', async (t) => {
  const { target, rig } = await openPlain(t)
  const { port } = target
  const cases: [string, number][] = [
    [`127.0.0.1:${port}`, 403],
    [`[::1]:${port}`, 400],
    [`[::ffff:7f00:1]:${port}`, 400],
    [`user:pass@api.example.com:${port}`, 400],
    [`api.example.com`, 400],
    [`api.example.com:`, 400],
    [`api.example.com:0`, 403],
    [`api.example.com:22`, 403],
    [`api.example.com:99999`, 403],
    [`evil.example:${port}`, 403],
    [`http://api.example.com:${port}`, 400],
    [`api.example.com:${port}/x`, 400],
    [`api.example.com#.evil.example:${port}`, 400],
  ]
  for (const [authority, status] of cases) {
    const said = await ask(rig, `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`)
    assert.equal(statusOf(said), status, `${authority}: ${said}`)
  }
  assert.equal(target.sockets(), 0)
})

test('the Host of a request is one, and says where it goes', async (t) => {
  const { target, host, rig } = await openPlain(t)
  const get = `GET http://${host}/ HTTP/1.1\r\nConnection: close\r\n`
  const cases: [string, number][] = [
    [`${get}Host: other.example.com\r\n\r\n`, 421],
    [`${get}Host: api.example.com\r\n\r\n`, 421],
    [`${get}Host: ${host}\r\nHost: ${host}\r\n\r\n`, 400],
    [`${get}Host: ${host}\r\nhost: evil.example\r\n\r\n`, 400],
    [`${get}\r\n`, 400],
    [`${get}Host: ${host}\r\n\r\n`, 200],
  ]
  for (const [bytes, status] of cases) assert.equal(statusOf(await ask(rig, bytes)), status, bytes)
  assert.equal(target.asked.length, 1)
})

test('a request that two parsers could read differently is refused', async (t) => {
  const { target, host, rig } = await openPlain(t)
  const head = `POST http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n`
  const smuggled = `0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const bad = [
    `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n${smuggled}`,
    `${head}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n${smuggled}`,
    `${head}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`,
    `${head}Transfer-Encoding: xchunked\r\n\r\n${smuggled}`,
    `${head}Transfer-Encoding: chunked, identity\r\n\r\n${smuggled}`,
    `${head}Content-Length: +4\r\n\r\nabcd`,
    `${head}Content-Length : 4\r\n\r\nabcd`,
    `${head}X: a\nContent-Length: 4\r\n\r\nabcd`,
    `${head}X: a\r\n b\0c\r\n\r\n`,
    `POST http://${host}/ HTTP/1.1\r\n Host: ${host}\r\n\r\n`,
    `GET http://${host}/ a HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  ]
  for (const bytes of bad) {
    const said = await ask(rig, bytes)
    assert.equal(statusOf(said), 400, bytes)
    assert.equal(said.match(/HTTP\/1\.1/g)?.length, 1, said)
  }
  assert.deepEqual(target.asked, [])
})

test('a name is resolved once for a connection, and the address that was checked is the one connected to', async (t) => {
  const answers = [['127.0.0.1'], ['10.1.2.3'], ['127.0.0.1', '169.254.169.254'], ['127.0.0.1', '::1'], []]
  const asked: string[] = []
  const resolve = async (host: string) => {
    asked.push(host)
    return answers[asked.length - 1] ?? []
  }
  const { target, host, rig } = await openPlain(t, { resolve })
  const get = `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
  const statuses: number[] = []
  for (const _ of answers) statuses.push(statusOf(await ask(rig, get)))
  assert.deepEqual(statuses, [200, 403, 403, 403, 502])
  assert.deepEqual(asked, Array<string>(5).fill('api.example.com'))
  assert.equal(target.sockets(), 1)
  assert.deepEqual(rig.outcomes(), ['forwarded', 'address_refused', 'address_refused', 'address_refused', 'unresolved'])
})

test('an answer that leads elsewhere is passed on, and the program that follows it is refused', async (t) => {
  const target = await openHttpTarget(t, (_, res) => res.writeHead(302, { location: 'http://169.254.169.254/' }).end())
  const rig = openProxy(t, { ports: [target.port, 80] })
  const host = `api.example.com:${target.port}`
  const said = await ask(rig, `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  assert.equal(statusOf(said), 302)
  const [, location = ''] = /location: (\S+)/i.exec(said) ?? []
  const next = await ask(rig, `GET ${location} HTTP/1.1\r\nHost: 169.254.169.254\r\n\r\n`)
  assert.equal(statusOf(next), 403)
  assert.equal(target.asked.length, 1)
})

test('a tunnel carries TLS from end to end', async (t) => {
  const { target, host, rig } = await openEcho(t)
  const program = await openTunnel(rig, host)
  const socket = connectTls({ socket: program, servername: 'api.example.com', ca: ca.cert })
  await once(socket, 'secureConnect')
  const large = 'x'.repeat(300_000)
  socket.end(large)
  assert.equal((await readUntil(socket)).length, large.length)
  assert.deepEqual(target.names, ['api.example.com'])
  await until(() => rig.connections.taken === 0)
  assert.deepEqual(rig.outcomes(), ['tunneled'])
  const [[sent = 0, received = 0] = []] = rig.bytes()
  assert.ok(sent > large.length && received > large.length)
})

test('a tunnel for one name does not carry TLS for another, or for none, or anything else', async (t) => {
  const { target, host, rig } = await openEcho(t, { hosts: ['api.example.com', 'other.example.com'] })
  for (const servername of ['other.example.com', 'evil.example', '']) {
    const socket = connectTls({ socket: await openTunnel(rig, host), servername, ca: ca.cert, checkServerIdentity: () => undefined }) // prettier-ignore
    const [error] = (await once(socket, 'error')) as [Error]
    assert.match(error.message, /unrecognized name/, servername)
  }
  const program = await openTunnel(rig, host)
  program.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  assert.doesNotMatch(await readUntil(program), /HTTP/)
  assert.deepEqual([target.names, rig.outcomes()], [[], Array<string>(4).fill('name_differs')])
  await until(() => rig.connections.taken === 0)
})

test('an account has a bound of connections, which others do not feel', async (t) => {
  const { host, rig } = await openEcho(t, { ofAccount: 2 })
  const held = [await openTunnel(rig, host), await openTunnel(rig, host)]
  await assert.rejects(openTunnel(rig, host), /503 Refused/)
  const other = rig.connect('acc_2')
  other.write(`CONNECT ${host} HTTP/1.1\r\n\r\n`)
  assert.equal(statusOf(await readUntil(other, (text) => text.includes('\r\n\r\n'))), 200)
  held[0]?.destroy()
  await until(() => rig.connections.taken === 2)
  await openTunnel(rig, host)
})

test('when the proxy closes, tunnels end at both sides', async (t) => {
  const { host, rig } = await openEcho(t)
  const socket = connectTls({ socket: await openTunnel(rig, host), servername: 'api.example.com', ca: ca.cert })
  await once(socket, 'secureConnect')
  socket.on('error', () => {})
  rig.close()
  await until(() => socket.destroyed && rig.connections.taken === 0)
})

test('a host that is not there, or breaks off, is told from one that refuses', async (t) => {
  const target = await openHttpTarget(t, (req) => req.socket.destroy())
  const { rig } = { rig: openProxy(t, { ports: [target.port, 1] }) }
  const get = (host: string) => `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
  assert.match(await ask(rig, get(`api.example.com:${target.port}`)), /502[^]*connection_terminated/)
  assert.match(await ask(rig, get('api.example.com:1')), /502[^]*destination_unavailable/)
})
