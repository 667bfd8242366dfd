// The provider of operators is reached the same way, and changed settings count in a running service.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, type TestContext } from 'node:test'
import { createOidcRequests } from '../../../base/auth/oidc-requests.ts'
import { createFetch } from '../../src/platform/proxy/outbound-fetch.ts'
import { readOutbound } from '../../src/platform/proxy/outbound.ts'
import { readSettings } from '../../src/settings.ts'
import { page } from '../support/example-routes.ts'
import { answerOf, respond } from '../support/raw-platform.ts'
import { startService } from '../support/service.ts'
import { authority, presentCertificate, startTlsPlatform, trusted } from '../support/tls-platform.ts'
import { say, startStandIn } from './stand-in.ts'

const folder = mkdtempSync(join(tmpdir(), 'vitrine-proxy-'))
after(() => rmSync(folder, { recursive: true }))
const caFile = join(folder, 'authorities.pem')
writeFileSync(caFile, authority.cert)
const damagedFile = join(folder, 'damaged.pem')
writeFileSync(damagedFile, authority.cert.slice(0, 90))

async function startBoth(t: TestContext) {
  const far = await startTlsPlatform(presentCertificate(trusted), respond(answerOf(JSON.stringify(page.healthy))))
  const proxy = await startStandIn()
  t.after(() => Promise.all([far.close(), proxy.close()]))
  return { far, proxy }
}

test('requests to the provider go through the proxy, and say what it refused', async (t) => {
  const { far, proxy } = await startBoth(t)
  const settings = readSettings({ upstream: { proxy: proxy.url.replace('//', '//me:hush@'), caFile } }, {})
  const send = createOidcRequests(createFetch(readOutbound(settings, { folder, env: {} }), 2_000))
  const response = await send(`${far.url}/.well-known/openid-configuration`, { method: 'GET', headers: {} })
  assert.deepEqual([response.status, await response.json()], [200, page.healthy])
  assert.match(proxy.heads[0] ?? '', new RegExp(`^CONNECT ${new URL(far.url).host} `))
  proxy.behave = say('HTTP/1.1 407 No\r\n\r\n')
  await assert.rejects(
    () => send(far.url, { method: 'GET', headers: {} }),
    ({ reason }: Error & { reason?: string }) => reason === 'the provider cannot be reached (proxy_sign_in)',
  )
})

test('requests to a provider that is excepted go to it directly, with the same authorities', async (t) => {
  const { far, proxy } = await startBoth(t)
  const upstream = { proxy: proxy.url, noProxy: ['127.0.0.1'], caFile }
  const outbound = readOutbound(readSettings({ upstream }, {}), { folder, env: {} })
  const send = createOidcRequests(createFetch(outbound, 2_000))
  assert.equal((await send(far.url, { method: 'GET', headers: {} })).status, 200)
  assert.deepEqual(proxy.heads, [])
})

test('a proxy and authorities that are set later count at the next socket, and damaged ones change nothing', async (t) => {
  const { far, proxy } = await startBoth(t)
  const service = await startService(far.url)
  t.after(service.close)
  assert.equal((await service.ask(page.path)).status, 502)
  const reload = (fresh: object) => service.running.reload(() => ({ ...service.settings, ...fresh }))
  await reload({ 'upstream.caFile': damagedFile })
  const refused = service.events.find(({ kind }) => kind === 'reload_refused')
  assert.match(JSON.stringify(refused), /upstream\.caFile: .*damaged\.pem: it ends within a certificate/)
  assert.equal((await service.ask(page.path)).status, 502)
  await reload({ 'upstream.caFile': caFile, 'upstream.proxy': proxy.url })
  assert.equal((await service.ask(page.path)).status, 200)
  assert.equal(proxy.heads.length, 1)
  const reloaded = service.events.find(({ kind }) => kind === 'reloaded')
  assert.deepEqual(reloaded && 'needRestart' in reloaded && reloaded.needRestart, [])
})
