// Real proxies: tinyproxy over plain HTTP, squid over TLS. Each opens tunnels to the platform's port alone, and wants a sign-in.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, type TestContext } from 'node:test'
import { makeIdentity } from '../../../base/test/certificates.ts'
import { page } from '../support/example-routes.ts'
import { answerOf, respond } from '../support/raw-platform.ts'
import { startService } from '../support/service.ts'
import { authority, presentCertificate, startTlsPlatform, trusted } from '../support/tls-platform.ts'
import { missing, type RealProxy, startSquid, startTinyproxy } from './stand-in.ts'

const folder = mkdtempSync(join(tmpdir(), 'vitrine-proxy-'))
const caFile = join(folder, 'authorities.pem')
writeFileSync(caFile, authority.cert)
after(() => rmSync(folder, { recursive: true }))
const [user, password] = ['operator', 'battery-staple-94']

interface Case {
  readonly name: 'tinyproxy' | 'squid'
  readonly scheme: 'http' | 'https'
  readonly start: (target: number) => Promise<RealProxy>
  /** what it answers where tunnels to the port are not allowed */
}

const identity = makeIdentity({ name: 'The proxy', by: authority, host: '127.0.0.1' })
const cases: readonly Case[] = [
  { name: 'tinyproxy', scheme: 'http', start: (target) => startTinyproxy({ target, user, password }) },
  { name: 'squid', scheme: 'https', start: (target) => startSquid({ target, user, password, identity }) },
]

async function prepare(t: TestContext, { start }: Case, isAllowed = true) {
  const platform = await startTlsPlatform(presentCertificate(trusted), respond(answerOf(JSON.stringify(page.healthy))))
  t.after(platform.close)
  const port = Number(new URL(platform.url).port)
  const proxy = await start(isAllowed ? port : port - 1)
  t.after(proxy.close)
  const serve = async (address: string) => {
    const upstream = { proxy: address, caFile, timeoutMs: 5_000 }
    const service = await startService(platform.url, { file: { upstream } })
    t.after(service.close)
    return service
  }
  return { platform, proxy, serve }
}

for (const one of cases) {
  const skip = missing(one.name)
  test(`${one.name}, ${one.scheme}: reads go through it with a sign-in, many at once`, { skip }, async (t) => {
    const { platform, proxy, serve } = await prepare(t, one)
    const service = await serve(`${one.scheme}://${user}:${password}@127.0.0.1:${proxy.port}`)
    const answers = await Promise.all(
      ['acme', 'other', 'solo'].flatMap((id) =>
        Array.from({ length: 4 }, (_, at) => service.ask(`/v1/connections/${id}${page.path}?limit=${at + 1}`)),
      ),
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    assert.equal(platform.requests.length, 12)
  })

  test(
    `${one.name}, ${one.scheme}: without a sign-in, and to another port, there is no answer`,
    { skip },
    async (t) => {
      const unsigned = await prepare(t, one)
      const refused = await prepare(t, one, false)
      for (const [{ platform, proxy, serve }, credentials] of [
        [unsigned, ''],
        [refused, `${user}:${password}@`],
      ] as const) {
        const service = await serve(`${one.scheme}://${credentials}127.0.0.1:${proxy.port}`)
        const { status, json } = await service.ask(page.path)
        assert.deepEqual([status, json.error.code], [503, 'upstream_unavailable'])
        assert.equal(platform.heard(), 0)
      }
    },
  )
}
