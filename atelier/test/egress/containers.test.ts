// Egress by name through the API, over an engine in memory.
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { makeIdentity } from '../../../base/test/certificates.ts'
import { until } from '../../../base/test/until.ts'
import { openUsedRig } from '../service-rig.ts'
import { FakeRelay } from './fake-relay.ts'
import { statusOf } from './proxy-rig.ts'
import { openEgress } from './service.ts'

test('a container reaches the hosts that it was created for, and no others', async (t) => {
  const { create, engine, relays, get, target, call, key } = await openEgress(t)
  const { status, body } = await create({
    egress: { hosts: ['API.example.com', '*.a.example.com', 'api.example.com'] },
  })
  assert.deepEqual(
    [status, body.network, body.egress],
    [201, 'none', { hosts: ['api.example.com', '*.a.example.com'] }],
  )
  const { template } = engine.containers.get(body.id) ?? assert.fail()
  assert.equal(template.network, 'none')
  assert.equal(template.env['HTTPS_PROXY'], 'http://127.0.0.1:3128')
  assert.deepEqual(body.envNames, [])
  const [relay = assert.fail()] = relays
  assert.match(await relay.ask(get('api.example.com')), /200 OK[^]*hello from api\.example\.com/)
  assert.equal(statusOf(await relay.ask(get('x.a.example.com'))), 200)
  assert.equal(statusOf(await relay.ask(get('b.example.com'))), 403)
  assert.equal(target.asked.length, 2)
  const { body: other } = await create({ egress: { hosts: ['b.example.com'] } })
  assert.equal(statusOf(await (relays[1] ?? assert.fail()).ask(get('api.example.com'))), 403)
  const { body: shown } = await call('GET', `/containers?id=${other.id}`, { key })
  assert.deepEqual(shown.items[0].egress, { hosts: ['b.example.com'] })
})

test('a container without it has no proxy, and its own variables win over those of the proxy', async (t) => {
  const { create, engine, relays } = await openEgress(t)
  const { body: plain } = await create()
  assert.equal('egress' in plain, false)
  assert.equal(engine.containers.get(plain.id)?.template.env['HTTP_PROXY'], undefined)
  assert.equal(relays.length, 0)
  const { body } = await create({ egress: { hosts: ['a.example.com'] }, env: { http_proxy: 'http://127.0.0.1:1' } })
  const env = engine.containers.get(body.id)?.template.env ?? {}
  assert.deepEqual([env['http_proxy'], env['https_proxy']], ['http://127.0.0.1:1', 'http://127.0.0.1:3128'])
})

test('what cannot be asked for is refused by name, before anything is made', async (t) => {
  const { create, engine } = await openEgress(t)
  const cases: [object, number, string][] = [
    [{ egress: { hosts: ['pypi.org'] } }, 403, 'egress.hosts[0]'],
    [{ egress: { hosts: ['a.example.com', 'example.com'] } }, 403, 'egress.hosts[1]'],
    [{ egress: { hosts: ['*'] } }, 400, 'egress.hosts[0]'],
    [{ egress: { hosts: ['*.com'] } }, 400, 'egress.hosts[0]'],
    [{ egress: { hosts: ['10.0.0.1'] } }, 400, 'egress.hosts[0]'],
    [{ egress: { hosts: ['a.example.com:443'] } }, 400, 'egress.hosts[0]'],
    [{ egress: { hosts: ['https://a.example.com'] } }, 400, 'egress.hosts[0]'],
    [{ egress: { hosts: [] } }, 400, 'egress.hosts'],
    [{ egress: {} }, 400, 'egress.hosts'],
    [{ egress: { hosts: ['a.example.com'], ports: [25] } }, 400, 'egress.ports'],
    [{ egress: true }, 400, 'egress'],
    [{ egress: { hosts: ['a.example.com'] }, network: 'egress' }, 400, 'egress'],
  ]
  for (const [wish, status, field] of cases) {
    const answer = await create(wish)
    assert.deepEqual([answer.status, answer.body.error.details.field], [status, field], JSON.stringify(wish))
    if (status === 403) assert.match(answer.body.error.message, /^The operator of this service has not opened/)
  }
  assert.equal(engine.calls.includes('create'), false)
  const { create: closed } = await openUsedRig(t)
  assert.equal((await closed({ egress: { hosts: ['a.example.com'] } })).status, 403)
})

test('a container whose relay does not answer is not created, and leaves nothing', async (t) => {
  const { create, engine, rig } = await openEgress(t)
  const open = () => create({ egress: { hosts: ['a.example.com'] } })
  engine.relay = () => {
    const relay = new FakeRelay({ isSilent: true })
    setImmediate(() => relay.end())
    return relay.channel
  }
  const silent = await open()
  assert.deepEqual([silent.status, silent.body.error.type, silent.body.error.details.reason], [422, 'start_failed', 'other']) // prettier-ignore
  engine.relay = undefined
  const without = await open()
  assert.equal(without.status, 422)
  assert.match(without.body.error.message, /does not carry the program/)
  assert.equal(engine.containers.size, 0)
  assert.deepEqual(await rig.service.core.store.containers.living(), [])
})

test('a relay that is lost is opened again, and one of a container that is gone is not', async (t) => {
  const { create, relays, get, call, key } = await openEgress(t)
  const { body } = await create({ egress: { hosts: ['a.example.com'] } })
  relays[0]?.end()
  await until(() => relays.length === 2)
  await until(async () => statusOf(await (relays[1] ?? assert.fail()).ask(get('a.example.com'))) === 200)
  await call('DELETE', `/containers?id=${body.id}&graceSeconds=0`, { key })
  await until(() => relays[1]?.isClosed === true)
  assert.equal(relays.length, 2)
})

test('a service that is started again opens the relays of the containers that run', async (t) => {
  const { create, relays, get, rig } = await openEgress(t)
  await create()
  await create({ egress: { hosts: ['a.example.com'] } })
  await rig.restart()
  await until(() => relays.length === 2)
  assert.equal(relays[0]?.isClosed, true)
  assert.match(await (relays[1] ?? assert.fail()).ask(get('a.example.com')), /200 OK/)
  assert.equal(statusOf(await (relays[1] ?? assert.fail()).ask(get('b.example.com'))), 403)
})

test('certificates of the operator reach containers without secrets, too', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-ca-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const { cert } = makeIdentity({ name: 'the operator' })
  const caFile = join(folder, 'ca.pem')
  writeFileSync(caFile, cert)
  const { create, engine, relays } = await openEgress(t, { caFile })
  const { body } = await create({ egress: { hosts: ['a.example.com'] } })
  assert.equal(engine.containers.get(body.id)?.template.env['SSL_CERT_FILE'], '/dev/shm/atelier-ca.pem')
  const given = relays[0]?.file.match(/-----BEGIN[^]+?END CERTIFICATE-----/g) ?? []
  assert.ok(given.length > 50, 'the usual ones are there, too')
  assert.equal(new X509Certificate(given.at(-1) ?? '').fingerprint256, new X509Certificate(cert).fingerprint256)
})
