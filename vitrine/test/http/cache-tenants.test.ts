import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { readSettings } from '../../src/settings.ts'
import { codes, pageOf, startCaching } from '../support/caching-service.ts'
import type { Call, Script } from '../support/scripted-platform.ts'
import { tester } from '../support/service.ts'
import { account, startManager } from '../operator/manager.ts'

/** the platform key that signed the token */
function signerOf({ headers }: Call): string {
  const token = String(headers.authorization).replace(/^Bearer /, '')
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
}

const canaries = { acme: 'canary of ACMEKEY001', other: 'canary of OTHERKEY01' }
const ofWhomever: Script = (call, res) => pageOf(`canary of ${signerOf(call)}`, `place-${signerOf(call)}`)(call, res)

test(
  "in 2,000 mixed requests, two tenants with the same ids never get each other's answers",
  { timeout: 100_000 },
  async (t) => {
    const { platform, service, ask, calls } = await startCaching(t)
    platform.script = ofWhomever
    const key = await service.issue({ connections: ['acme', 'other'] })
    const tags = new Map<string, string>()
    const outcomes = new Map<string, number>()
    let left = 2_000
    async function visit(number: number) {
      const own = number % 2 === 0 ? ('acme' as const) : ('other' as const)
      const id = `s${Math.floor(number / 2) % 40}`
      const rival = tags.get(`${own === 'acme' ? 'other' : 'acme'} ${id}`)
      const headers = {
        ...(number % 7 === 0 && { 'cache-control': 'no-cache' }),
        ...(number % 5 === 0 && rival !== undefined && { 'if-none-match': rival }),
      }
      const method = number % 11 === 0 ? 'HEAD' : 'GET'
      const path = `/v1/connections/${own}/subscriptions/${id}/offer-codes`
      const answer = await ask(path, { key, method, headers })
      assert.equal(answer.status, 200, "another's tag is no tag of this answer")
      if (method === 'GET') assert.equal(answer.json.items[0].name, canaries[own])
      tags.set(`${own} ${id}`, String(answer.headers['etag']))
      const outcome = String(answer.headers['cache-status']).split(/[;=]/)[1]?.trim() ?? ''
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
    const visitor = async () => {
      while (left > 0) await visit(left--)
    }
    await Promise.all(Array.from({ length: 64 }, visitor))
    assert.ok((outcomes.get('hit') ?? 0) > 1_000, `${outcomes.get('hit')} hits`)
    assert.ok((outcomes.get('fwd') ?? 0) > 80, `${outcomes.get('fwd')} reads`)
    assert.ok(calls() < 800, `${calls()} calls`)
  },
)

test('a caller without the grant is refused even if the answer is cached', async (t) => {
  const { service, ask, calls } = await startCaching(t)
  const { key, shown } = await service.running.keys.issue({ name: 'soon gone', connections: ['acme'] }, tester)
  const etag = String((await ask(codes, { key })).headers['etag'])
  assert.match(String((await ask(codes, { key })).headers['cache-status']), /hit/)
  const refusal = async (asker: string | undefined, path = codes) => {
    const { status, json, headers } = await ask(path, { key: asker, headers: { 'if-none-match': etag } })
    for (const name of ['etag', 'age', 'cache-status']) assert.equal(headers[name], undefined)
    return [status, json.error.code]
  }
  const apps = await service.issue({ connections: ['acme'], groups: ['apps'] })
  const elsewhere = await service.issue({ connections: ['other'] })
  const slow = await service.issue({ connections: ['acme'], perMinute: 1 })
  assert.deepEqual(await refusal(apps), [403, 'group_not_granted'])
  assert.deepEqual(await refusal(elsewhere), [404, 'connection_not_found'])
  assert.deepEqual(await refusal(undefined), [401, 'key_missing'])
  assert.equal((await ask(codes, { key: slow })).status, 200)
  assert.deepEqual(await refusal(slow), [429, 'key_rate_limited'])
  assert.equal((await ask(codes, { key, method: 'POST' })).status, 405)
  await service.running.keys.revoke(shown.id, tester)
  assert.deepEqual(await refusal(key), [401, 'key_invalid'])
  assert.equal(calls(), 1)
})

test('replacing a credential and removing a connection both evict the answers read with it', async (t) => {
  const { service, ask } = await startManager(t, { file: { cacheSeconds: 600 } })
  const path = '/v1/connections/studio/apps?limit=2'
  const told = async () => (await service.ask(path)).headers['cache-status']
  const [missed, hit] = ['vitrine; fwd=uri-miss; stored', /^vitrine; hit; ttl=(600|59\d)$/]
  const create = () => ask('POST', '/operator/v1/connections', { body: { id: 'studio', ...account } })
  await create()
  assert.equal(await told(), missed)
  assert.match(String(await told()), hit)
  await ask('POST', '/operator/v1/connections/studio/credentials', { body: account })
  assert.equal(await told(), missed)
  assert.match(String(await told()), hit)
  await ask('DELETE', '/operator/v1/connections/studio')
  assert.equal((await service.ask(path)).status, 404)
  await create()
  assert.equal(await told(), missed)
})

test('a settings reload evicts the answers of changed connections only', async (t) => {
  const { platform, service, ask } = await startCaching(t)
  const told = async () => (await ask(codes)).headers['cache-status']
  const settings = (connection: object) => () =>
    readSettings({ upstream: { baseUrl: platform.url }, connections: { acme: connection } }, {})
  const acme = { keyId: 'ACMEKEY001', issuerId: '57246542-96fe-1a63-e053-0824d0110001', privateKeyFile: 'key.p8' }
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  writeFileSync(join(service.folder, 'new.p8'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const reload = (connection: object) => service.running.reload(settings(connection))
  const [missed, hit] = ['vitrine; fwd=uri-miss; stored', 'vitrine; hit; ttl=60']
  assert.equal(await told(), missed)
  assert.equal(await reload(acme), true)
  assert.equal(await told(), hit)
  assert.equal(await reload({ ...acme, cacheSeconds: 5 }), true)
  assert.equal(await told(), 'vitrine; hit; ttl=5')
  assert.equal(await reload({ ...acme, cacheSeconds: 0 }), true)
  assert.equal(await told(), undefined)
  assert.equal(await reload(acme), true)
  assert.equal(await told(), hit, 'what is no longer said is no longer meant')
  assert.equal(await reload({ ...acme, privateKeyFile: 'new.p8' }), true)
  assert.equal(await told(), missed)

  await reload({ ...acme, cacheSeconds: { aps: 5 } })
  const refused = service.events.find((event) => event.kind === 'reload_refused')
  assert.match(refused?.reason ?? '', /connections: acme: cacheSeconds: there is no group "aps"/)
  assert.match(String(await told()), /hit/)
})
