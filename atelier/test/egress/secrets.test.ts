// Secrets that are put into requests outside the container: to their hosts alone, over TLS that was checked, in one header.
import assert from 'node:assert/strict'
import { type Duplex, duplexPair } from 'node:stream'
import test from 'node:test'
import tls, { connect as connectTls, rootCertificates } from 'node:tls'
import { makeIdentity } from '../../../base/test/certificates.ts'
import { until } from '../../../base/test/until.ts'
import { openTunnel, readUntil, statusOf } from './proxy-rig.ts'
import { type Answer, ca, openScene, value } from './secret-scene.ts'

async function exchange(socket: Duplex, bytes: string): Promise<string> {
  socket.write(bytes)
  return readUntil(socket)
}

test('the host gets the value, and the program never has it', async (t) => {
  const answer: Answer = (req, res) => {
    res.setHeader('x-echo', String(req.headers.authorization))
    res.end(`you sent ${req.headers.authorization}`)
  }
  const { api, rig, placeholder, host, secure } = await openScene(t, { answer })
  const socket = await secure()
  assert.equal(socket.alpnProtocol, 'http/1.1')
  const lines = [
    `POST /v1?key=${placeholder} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${placeholder}`,
    `X-Copy: ${placeholder}`,
    'Accept-Encoding: gzip',
    `Content-Length: ${placeholder.length}`,
    'Connection: close',
  ]
  const said = await exchange(socket, `${lines.join('\r\n')}\r\n\r\n${placeholder}`)
  const [{ headers, url, body } = assert.fail('nothing was asked')] = api.asked
  assert.equal(headers['authorization'], `Bearer ${value}`)
  assert.equal(headers['host'], host)
  assert.equal(headers['accept-encoding'], 'identity')
  assert.deepEqual([url, body, headers['x-copy']], [`/v1?key=${placeholder}`, placeholder, placeholder])
  assert.equal(statusOf(said), 200)
  assert.ok(!said.includes(value), 'a host that sends it back does not give it away')
  assert.match(said, /x-echo: Bearer \*{16}\r\n/)
  assert.ok(said.includes(`you sent Bearer ${'*'.repeat(16)}`))
  assert.deepEqual(rig.outcomes(), ['secret_sent'])
  await until(() => rig.connections.taken === 0)
})

test('requests follow each other on one connection, and those without the placeholder are passed on', async (t) => {
  const { api, rig, placeholder, host, secure } = await openScene(t)
  const socket = await secure()
  const get = (more: string) => `GET / HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`
  const said = await exchange(socket, get('') + get(`authorization: ${placeholder}\r\n`) + get('Connection: close\r\n'))
  assert.equal(said.match(/HTTP\/1\.1 200/g)?.length, 3)
  assert.deepEqual(api.asked.map(({ headers }) => headers['authorization']), [undefined, value, undefined]) // prettier-ignore
  assert.deepEqual([api.secured(), rig.outcomes()], [1, ['intercepted', 'secret_sent', 'intercepted']])
})

test('a request for another host than that of the connection is refused', async (t) => {
  const { api, placeholder, host, secure } = await openScene(t)
  const auth = `Authorization: ${placeholder}\r\nConnection: close\r\n\r\n`
  const cases: [string, number][] = [
    [`GET / HTTP/1.1\r\nHost: evil.example\r\n${auth}`, 421],
    [`GET / HTTP/1.1\r\nHost: api.example.com\r\n${auth}`, 421],
    [`GET / HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example\r\n${auth}`, 400],
    [`GET https://evil.example/ HTTP/1.1\r\nHost: ${host}\r\n${auth}`, 400],
    [`OPTIONS * HTTP/1.1\r\nHost: ${host}\r\n${auth}`, 400],
  ]
  for (const [bytes, status] of cases) assert.equal(statusOf(await exchange(await secure(), bytes)), status, bytes)
  const both = `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n${auth}0\r\n\r\n`
  assert.doesNotMatch(await exchange(await secure(), both), / 200 /)
  assert.deepEqual(api.asked, [])
})

test('a host that does not prove who it is gets nothing', async (t) => {
  const wrong = [
    { identity: makeIdentity({ name: 'api', by: ca, host: 'other.example.com' }) },
    { identity: makeIdentity({ name: 'api', by: ca, host: 'api.example.com', until: new Date(Date.now() - 1_000) }) },
    { identity: makeIdentity({ name: 'api', by: makeIdentity({ name: 'test authority' }), host: 'api.example.com' }) },
    { roots: rootCertificates },
  ]
  for (const options of wrong) {
    const { api, rig, host, secrets } = await openScene(t, options)
    await assert.rejects(openTunnel(rig, host, secrets), /502[^]*tls_certificate_error/)
    assert.deepEqual([api.asked, rig.outcomes()], [[], ['not_proved']])
    await until(() => rig.connections.taken === 0)
  }
})

test('TLS for another name than that of the connection does not begin', async (t) => {
  const { api, rig, secure } = await openScene(t, { hosts: ['api.example.com', 'other.example.com'] })
  await assert.rejects(secure('other.example.com'), /unrecognized name/)
  assert.deepEqual([api.asked, rig.outcomes()], [[], ['name_differs']])
})

test('a host of no secret is tunneled, and never gets the value; nor does plain HTTP', async (t) => {
  const identity = makeIdentity({ name: 'api', by: ca, host: 'api.example.com' })
  const { api, rig, placeholder, host, secrets, secure } = await openScene(t, {
    identity,
    hosts: ['other.example.com'],
  })
  const socket = await secure('api.example.com', ca.cert)
  await exchange(
    socket,
    `GET / HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${placeholder}\r\nConnection: close\r\n\r\n`,
  )
  assert.equal(api.asked[0]?.headers['authorization'], placeholder)
  assert.deepEqual(rig.outcomes(), ['tunneled'])
  const plain = rig.connect('acc_1', secrets)
  const at = `other.example.com:${api.port}`
  const said = await exchange(plain, `GET http://${at}/ HTTP/1.1\r\nHost: ${at}\r\nAuthorization: ${placeholder}\r\nConnection: close\r\n\r\n`) // prettier-ignore
  assert.notEqual(statusOf(said), 200)
  assert.ok(!said.includes(value))
})

test('the placeholder of one container is nothing in another', async (t) => {
  const first = await openScene(t)
  const second = await openScene(t)
  const request = `GET / HTTP/1.1\r\nHost: ${second.host}\r\nAuthorization: ${first.placeholder}\r\nConnection: close\r\n\r\n`
  await exchange(await second.secure(), request)
  assert.equal(second.api.asked[0]?.headers['authorization'], first.placeholder)
  await assert.rejects(second.secure('api.example.com', first.vault.certificate), /certificate|signature/)
})

test('a program that leaves before its tunnel stands leaves no connection behind', async (t) => {
  const { rig, host, secrets } = await openScene(t)
  const [inner, wire] = duplexPair()
  const hello = connectTls({ socket: inner, servername: 'api.example.com' })
  hello.on('error', () => {})
  t.after(() => hello.destroy())
  const program = rig.connect('acc_1', secrets)
  program.write(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  program.write(wire.read() as Buffer)
  await until(() => rig.connections.taken === 1)
  program.destroy()
  await until(() => rig.connections.taken === 0)
})

test('the certificates of authorities are read once, not for each connection', async (t) => {
  const { host, secure } = await openScene(t, { roots: [...rootCertificates, ca.cert] })
  const made = t.mock.method(tls, 'createSecureContext')
  for (let i = 0; i < 3; i += 1)
    await exchange(await secure(), `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  const withMany = made.mock.calls.filter(({ arguments: [options] }) => Array.isArray(options?.ca))
  assert.equal(withMany.length, 0)
})

test('secrets that were lost are said, and nothing is sent', async (t) => {
  const { api, rig, host, secrets } = await openScene(t)
  await assert.rejects(openTunnel(rig, host, { secretHosts: secrets.secretHosts }), /502[^]*secrets of this container/)
  assert.deepEqual([api.secured(), rig.outcomes()], [0, ['secrets_lost']])
})

test('a large answer comes whole, and one that breaks off does not look whole', async (t) => {
  const large = 'x'.repeat(1_000_000)
  const answer: Answer = (req, res) => {
    res.writeHead(200, { 'content-length': large.length })
    if (req.url === '/whole') res.end(large)
    else res.write(large.slice(0, 500_000), () => res.destroy())
  }
  const { host, secure } = await openScene(t, { answer })
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
  assert.ok((await exchange(await secure(), get('/whole'))).endsWith(`\r\n\r\n${large}`))
  const cut = await exchange(await secure(), get('/cut'))
  assert.ok(cut.length < large.length)
})
