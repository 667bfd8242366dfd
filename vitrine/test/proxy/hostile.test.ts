// A proxy that fails in every way, and one that is honest. Each fault ends in a code of the contract, costs no more calls than
// without a proxy, shows no credentials, and the next healthy request is answered.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { page } from '../support/example-routes.ts'
import { answerOf, flood, respond } from '../support/raw-platform.ts'
import { startService } from '../support/service.ts'
import { authority, presentCertificate, startTlsPlatform, trusted } from '../support/tls-platform.ts'
import { makeIdentity } from '../../../base/test/certificates.ts'
import { faults } from '../faults/fault.ts'
import { checkExpected } from '../faults/expected.ts'
import { type Behave, say, startStandIn, tunnel } from './stand-in.ts'

const healthy = respond(answerOf(JSON.stringify(page.healthy)))
const unavailable = { status: 503, type: 'upstream_error', code: 'upstream_unavailable' }
const malformed = { status: 502, type: 'upstream_error', code: 'upstream_malformed' }
const late = { status: 504, type: 'upstream_error', code: 'upstream_timeout' }

const folder = mkdtempSync(join(tmpdir(), 'vitrine-proxy-'))
const caFile = join(folder, 'authorities.pem')
writeFileSync(caFile, `A comment of the bundle\n${authority.cert}`)
const proxy = await startStandIn()
const password = 'correct horse: battery/staple'
const address = proxy.url.replace('//', `//operator:${encodeURIComponent(password)}@`)
after(async () => {
  await proxy.close()
  rmSync(folder, { recursive: true })
})

const startPlatform = () => startTlsPlatform(presentCertificate(trusted), healthy)
const upstream = { proxy: address, caFile, connectMs: 300, timeoutMs: 3_000 }
const secrets = [password, encodeURIComponent(password), Buffer.from(`operator:${password}`).toString('base64')]

const hides = (texts: readonly unknown[]) => {
  const all = JSON.stringify(texts)
  for (const secret of secrets) assert.ok(!all.includes(secret), all)
}

test('a read goes through the tunnel with the credentials, and TLS is checked against the platform', async (t) => {
  const platform = await startPlatform()
  proxy.behave = tunnel()
  proxy.heads.length = 0
  const service = await startService(platform.url, { file: { upstream } })
  t.after(() => service.close().then(platform.close))
  assert.deepEqual((await service.ask(page.path)).json, page.answer)
  assert.deepEqual((await service.ask(page.path)).json, page.answer)
  const { host } = new URL(platform.url)
  const basic = Buffer.from(`operator:${password}`).toString('base64')
  // one tunnel carries both
  assert.deepEqual(proxy.heads, [
    `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: Basic ${basic}\r\n\r\n`,
  ])
  assert.ok(platform.requests.every((head) => !/proxy-authorization/i.test(head)))
})

const rows: readonly [fault: string, behave: Behave, expect: typeof unavailable, calls: number][] = [
  [
    'requires another sign-in',
    say('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n'),
    unavailable,
    1,
  ],
  ['refuses the destination', say('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno'), unavailable, 1],
  ['does not reach the platform', say('HTTP/1.1 502 Bad Gateway\r\n\r\n'), unavailable, 3],
  ['is overloaded', say('HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\n\r\n'), unavailable, 3],
  ['redirects', say('HTTP/1.1 302 Found\r\nLocation: https://sign-in.example/\r\n\r\n'), unavailable, 1],
  ['never answers', () => {}, late, 3],
  ['answers garbage', say('SSH-2.0-OpenSSH_9.2\r\n'), unavailable, 1],
  ['answers a line that never ends', (socket) => flood(socket, 'x'.repeat(1_024)), unavailable, 1],
  [
    'sends a header without an end',
    (socket) => flood(socket, `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(200)}`),
    unavailable,
    1,
  ],
  ['closes without an answer', (socket) => void socket.end(), unavailable, 1],
  ['resets without an answer', (socket) => void socket.resetAndDestroy(), unavailable, 3],
  ['closes within the header', say('HTTP/1.1 200 OK\r\nx'), unavailable, 1],
  ['sends a body before TLS', say('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'), unavailable, 1],
  ['opens a tunnel that leads nowhere', (socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\n'), late, 3],
  ['opens a tunnel and closes it', say('HTTP/1.1 200 OK\r\n\r\n'), unavailable, 3],
  ['closes the tunnel within the TLS handshake', tunnel(undefined, 300), unavailable, 3],
]

faults(
  rows.map(([fault, sick, expect, calls]) => ({
    id: 'proxy',
    fault: `the proxy ${fault}`,
    options: { file: { upstream } },
    timeoutMs: 3_000,
    async ground() {
      const platform = await startPlatform()
      proxy.behave = sick
      return { platform, heal: () => void (proxy.behave = tunnel()) }
    },
    expect: { ...expect, calls },
    more(answer, { service, platform }) {
      hides([answer.text, service.events])
      assert.equal('heard' in platform && (platform.heard as () => number)(), 0, 'the platform gets no request')
    },
  })),
)

test('proxy: it cuts the tunnel in the middle of an answer, and the read is repeated', async (t) => {
  const platform = await startPlatform()
  t.after(platform.close)
  let tunnels = 0
  proxy.behave = (socket, head) => tunnel(undefined, ++tunnels === 1 ? 1_300 : Infinity)(socket, head)
  const service = await startService(platform.url, { file: { upstream } })
  t.after(service.close)
  assert.deepEqual((await service.ask(page.path)).json, page.answer)
  assert.equal(tunnels, 2)
})

test('proxy: one that intercepts TLS with an unknown authority gets no request', async (t) => {
  const platform = await startPlatform()
  t.after(platform.close)
  const unknown = makeIdentity({ name: 'The company' })
  const intercepting = await startTlsPlatform(
    presentCertificate(makeIdentity({ name: 'The platform', by: unknown, host: '127.0.0.1' })),
    healthy,
  )
  t.after(intercepting.close)
  const { host } = new URL(intercepting.url)
  proxy.behave = (socket, head) => tunnel()(socket, head.replace(/CONNECT \S+/, `CONNECT ${host}`))
  const service = await startService(platform.url, { file: { upstream } })
  t.after(service.close)
  checkExpected(await service.ask(page.path), { ...malformed, calls: 1 })
  assert.equal(intercepting.heard(), 0)
})

test('proxy: nothing listens at its address', async (t) => {
  const platform = await startPlatform()
  t.after(platform.close)
  const gone = await startStandIn()
  await gone.close()
  const service = await startService(platform.url, { file: { upstream: { ...upstream, proxy: gone.url } } })
  t.after(service.close)
  checkExpected(await service.ask(page.path), { ...unavailable, calls: 3 })
  assert.equal(service.events.filter(({ kind }) => kind === 'called').length, 3)
})

test('proxy: it is reached over TLS, and only with a certificate that is trusted', async (t) => {
  const platform = await startPlatform()
  t.after(platform.close)
  const own = makeIdentity({ name: 'The proxy', by: authority, host: '127.0.0.1' })
  const secure = await startStandIn(own)
  const strange = await startStandIn(makeIdentity({ name: 'The proxy', host: '127.0.0.1' }))
  t.after(() => Promise.all([secure.close(), strange.close()]))
  const good = await startService(platform.url, { file: { upstream: { ...upstream, proxy: secure.url } } })
  t.after(good.close)
  assert.deepEqual((await good.ask(page.path)).json, page.answer)
  const bad = await startService(platform.url, { file: { upstream: { ...upstream, proxy: strange.url } } })
  t.after(bad.close)
  checkExpected(await bad.ask(page.path), { ...unavailable, calls: 1 })
  assert.deepEqual(strange.heads, [], 'the credentials are not sent')
})

test('proxy: after five failures its connection is not tried, as without a proxy', async (t) => {
  const platform = await startPlatform()
  t.after(platform.close)
  proxy.behave = say('HTTP/1.1 403 Forbidden\r\n\r\n')
  const service = await startService(platform.url, { file: { upstream } })
  t.after(service.close)
  for (let asked = 0; asked < 5; asked++) checkExpected(await service.ask(page.path), { ...unavailable, calls: 1 })
  proxy.heads.length = 0
  const { headers } = await service.ask(page.path)
  assert.ok(Number(headers['retry-after']) >= 1)
  assert.deepEqual(proxy.heads, [])
})

test('proxy: connections share no tunnel', async (t) => {
  const platform = await startPlatform()
  proxy.behave = tunnel()
  proxy.heads.length = 0
  const service = await startService(platform.url, { file: { upstream } })
  t.after(() => service.close().then(platform.close))
  for (const id of ['acme', 'other']) assert.equal((await service.ask(`/v1/connections/${id}${page.path}`)).status, 200)
  assert.equal(proxy.heads.length, 2)
})
