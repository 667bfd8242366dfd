// What the doctor says of a proxy, and of the authorities that are trusted.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { makeIdentity } from '../../../base/test/certificates.ts'
import { answerOf, type RawScript } from '../support/raw-platform.ts'
import { authority, presentCertificate, startTlsPlatform, trusted } from '../support/tls-platform.ts'
import { type Behave, say, startStandIn, tunnel } from '../proxy/stand-in.ts'
import { examine, findCheck, install, problemsIn } from './scene.ts'
import { well } from './platform.ts'

const refusal = JSON.stringify({ errors: [{ status: '401', code: 'NOT_AUTHORIZED', title: 't', detail: 'd' }] })
const apps = JSON.stringify({ data: [{ type: 'apps', id: '6446990001' }], links: {} })
const answer: RawScript = (socket, head) =>
  void socket.write(/\r\nauthorization: Bearer ey/i.test(head) ? answerOf(apps) : answerOf(refusal, '', '401 No'))

const password = 'correct-horse-battery'

async function scene(t: TestContext, behave: Behave, identity = trusted) {
  const platform = await startTlsPlatform(presentCertificate(identity), answer)
  const proxy = await startStandIn()
  t.after(() => Promise.all([platform.close(), proxy.close()]))
  proxy.behave = behave
  const address = proxy.url.replace('//', '//operator@')
  const upstream = { baseUrl: platform.url, proxy: address, proxyPasswordFile: 'password', caFile: 'authorities.pem' }
  const { config, folder } = install(t, platform.url, { upstream })
  writeFileSync(join(folder, 'password'), `${password}\n`, { mode: 0o600 })
  writeFileSync(join(folder, 'authorities.pem'), authority.cert)
  return { proxy, host: new URL(proxy.url).host, look: (env = {}) => examine(config, [], env), platform }
}

const cases: readonly (readonly [what: string, behave: Behave, cause: RegExp, cure: RegExp])[] = [
  [
    '407',
    say('HTTP/1.1 407 No\r\n\r\n'),
    /^the proxy requires a sign-in that it accepts \(407\)$/,
    /proxyPasswordFile/,
  ],
  ['403', say('HTTP/1.1 403 No\r\n\r\n'), /^the proxy refuses this destination \(403\)$/, /allow CONNECT/],
  [
    '502',
    say('HTTP/1.1 502 No\r\n\r\n'),
    /^the proxy cannot reach the platform \(502\)$/,
    /name service and the firewall/,
  ],
  ['garbage', say('220 mail.example ESMTP\r\n'), /no HTTP proxy/, /scheme, the host and the port/],
]

for (const [what, behave, cause, cure] of cases)
  test(`a proxy that answers ${what} is named, with its fix and without its password`, async (t) => {
    const { look, host } = await scene(t, behave)
    const told = await look()
    assert.deepEqual(problemsIn(told), [...well, 'platform=fail'])
    assert.equal(findCheck(told, 'outgoing').says, `The platform is called through ${host}, with 1 own certificate.`)
    assert.match(findCheck(told, 'platform').cause ?? '', cause)
    assert.match(findCheck(told, 'platform').cure ?? '', cure)
    for (const secret of [password, Buffer.from(`operator:${password}`).toString('base64')])
      assert.ok(!(told.out + told.err).includes(secret))
  })

test('a proxy that nothing listens at is named', async (t) => {
  const { look, proxy } = await scene(t, tunnel())
  await proxy.close()
  const told = await look()
  assert.match(findCheck(told, 'platform').cause ?? '', /^the proxy cannot be reached \(ECONNREFUSED\)$/)
})

test('through a good proxy everything is well, and TLS decrypted by an unknown authority is not', async (t) => {
  const good = await scene(t, tunnel())
  assert.deepEqual(problemsIn(await good.look()), well)
  const unknown = makeIdentity({ name: 'The company' })
  const decrypting = makeIdentity({ name: 'The platform', by: unknown, host: '127.0.0.1' })
  const bad = await scene(t, tunnel(), decrypting)
  const told = await bad.look()
  assert.deepEqual(problemsIn(told), [...well, 'platform=fail'])
  assert.match(findCheck(told, 'platform').cause ?? '', /cannot be trusted: [A-Z_]+/)
  assert.match(findCheck(told, 'platform').cure ?? '', /upstream\.caFile/)
  assert.equal(bad.platform.heard(), 0)
})

test('a proxy of the environment that is not there is a warning', async (t) => {
  const { config } = install(t, 'http://127.0.0.1:1', {
    upstream: { baseUrl: 'http://127.0.0.1:1', proxy: 'environment' },
  })
  const told = await examine(config, [], { HTTPS_PROXY: '', https_proxy: '' })
  assert.equal(findCheck(told, 'outgoing').state, 'warn')
  const wrong = await examine(config, [], { HTTPS_PROXY: `socks5://me:${password}@proxy`, https_proxy: '' })
  assert.match(findCheck(wrong, 'outgoing').cause ?? '', /^HTTPS_PROXY: must be http/)
  assert.ok(!(wrong.out + wrong.err).includes(password))
})
