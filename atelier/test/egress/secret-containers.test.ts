// Secrets of containers through the API: what is kept, what is shown, and what a restart leaves.
import assert from 'node:assert/strict'
import { globSync, readFileSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { X509Certificate } from 'node:crypto'
import { until } from '../../../base/test/until.ts'
import { statusOf } from './proxy-rig.ts'
import { openEgress } from './service.ts'

const value = 'sk-canary-9f27b0c4d1'
const secrets = { API_KEY: { value, hosts: ['API.example.com'], header: 'X-Api-Key' } }

/** TLS to it ends in the proxy, which has to reach it first */
const connect = (port: number, host = 'api.example.com') => `CONNECT ${host}:${port} HTTP/1.1\r\n\r\n`

test('the container has a placeholder and certificates, and no answer, event or file has the value', async (t) => {
  const { create, engine, relays, rig, folder, call, key } = await openEgress(t)
  const { status, body } = await create({ secrets, egress: { hosts: ['b.example.com'] } })
  assert.equal(status, 201)
  assert.deepEqual(body.secrets, { API_KEY: { hosts: ['api.example.com'], header: 'x-api-key' } })
  assert.deepEqual(body.egress, { hosts: ['b.example.com', 'api.example.com'] })
  assert.deepEqual([body.network, body.envNames], ['none', []])
  const { env } = engine.containers.get(body.id)?.template ?? assert.fail()
  assert.match(env['API_KEY'] ?? '', /^atelier_secret_[0-9a-f]{32}$/)
  assert.equal(env['SSL_CERT_FILE'], '/dev/shm/atelier-ca.pem')
  const certificates = relays[0]?.file.match(/-----BEGIN[^]+?END CERTIFICATE-----/g) ?? []
  assert.ok(certificates.length > 50, 'the usual ones are there, too')
  assert.ok(new X509Certificate(certificates.at(-1) ?? '').subject.includes(body.id))
  const shown = await call('GET', `/containers?id=${body.id}`, { key })
  assert.deepEqual(shown.body.items[0].secrets, body.secrets)
  await create({ secrets: { API_KEY: { value: `${value}\n`, hosts: ['x'] } } })
  for (const text of [JSON.stringify(body), shown.text, JSON.stringify(rig.service.events), JSON.stringify(env)])
    assert.ok(!text.includes('canary'))
  const files = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((one) => one.isFile())
  assert.ok(files.some(({ name }) => name === 'atelier.db') && files.some(({ name }) => name === 'egress.key'))
  for (const { parentPath, name } of files) assert.ok(!readFileSync(join(parentPath, name)).includes('canary'), name)
})

test('secrets survive a restart, go with the container, and are said to be lost without their key', async (t) => {
  const { create, relays, rig, target, folder, call, key } = await openEgress(t)
  const { body } = await create({ secrets })
  const { body: other } = await create({ secrets })
  const rows = () => rig.service.core.store.db.all('SELECT * FROM container_secrets')
  assert.equal((await rows()).length, 2)
  await rig.restart()
  await until(() => relays.length === 4)
  assert.deepEqual(new Set([relays[2]?.file, relays[3]?.file]), new Set([relays[0]?.file, relays[1]?.file]))
  // the target speaks no TLS: it was reached, and did not prove who it is
  assert.match(await (relays[2] ?? assert.fail()).ask(connect(target.port)), /502[^]*tls_certificate_error/)
  await call('DELETE', `/containers?id=${other.id}&graceSeconds=0`, { key })
  assert.deepEqual((await rows()).map((row) => row['container']), [body.id]) // prettier-ignore
  unlinkSync(join(folder, 'data/egress.key'))
  await rig.restart()
  await until(() => relays.length === 5)
  assert.match(await (relays[4] ?? assert.fail()).ask(connect(target.port)), /502[^]*create another one/)
  assert.equal(statusOf(await (relays[4] ?? assert.fail()).ask(connect(target.port, 'b.example.com'))), 403)
})

test('a repeat with the same Idempotency-Key finds the same secret, and another one is a conflict', async (t) => {
  const { call, key, rig } = await openEgress(t)
  const create = (text: string) =>
    call('POST', '/containers', {
      key,
      headers: { 'idempotency-key': 'one' },
      body: { image: 'base', secrets: { API_KEY: { value: text, hosts: ['api.example.com'] } } },
    })
  const first = await create(value)
  const again = await create(value)
  assert.deepEqual([first.status, again.body.id, again.headers['idempotency-replayed']], [201, first.body.id, 'true'])
  assert.equal((await create('another-value')).status, 409)
  const rows = await rig.service.core.store.db.all('SELECT body FROM idempotency')
  assert.ok(!JSON.stringify(rows).includes('canary'))
})

test('secrets that cannot be asked for are refused by name, without their value', async (t) => {
  const { create, engine } = await openEgress(t)
  const one = (more: object) => ({ secrets: { API_KEY: { value, hosts: ['api.example.com'], ...more } } })
  const cases: [object, number, RegExp][] = [
    [one({ hosts: ['pypi.org'] }), 403, /^secrets\.API_KEY\.hosts\[0\]$/],
    [one({ hosts: ['*.example.com'] }), 400, /^secrets\.API_KEY\.hosts\[0\]$/],
    [one({ hosts: ['10.0.0.1'] }), 400, /^secrets\.API_KEY\.hosts\[0\]$/],
    [one({ hosts: [] }), 400, /^secrets\.API_KEY\.hosts$/],
    [one({ header: 'Host' }), 400, /^secrets\.API_KEY\.header$/],
    [one({ header: 'Content-Length' }), 400, /^secrets\.API_KEY\.header$/],
    [one({ header: 'Proxy-Authorization' }), 400, /^secrets\.API_KEY\.header$/],
    [one({ header: 'a b' }), 400, /^secrets\.API_KEY\.header$/],
    [one({ value: 'short' }), 400, /^secrets\.API_KEY\.value$/],
    [one({ value: `${value}\r\nX: y` }), 400, /^secrets\.API_KEY\.value$/],
    [one({ value: `${value} ` }), 400, /^secrets\.API_KEY\.value$/],
    [one({ other: 1 }), 400, /^secrets\.API_KEY\.other$/],
    [{ secrets: { ATELIER_KEY: { value, hosts: ['api.example.com'] } } }, 400, /^secrets/],
    [{ ...one({}), env: { API_KEY: 'x' } }, 400, /^secrets\.API_KEY$/],
    [{ ...one({}), network: 'egress' }, 400, /^secrets$/],
  ]
  for (const [wish, status, field] of cases) {
    const answer = await create(wish)
    assert.equal(answer.status, status, JSON.stringify(wish))
    assert.match(answer.body.error.details.field, field)
    assert.ok(!answer.text.includes('canary'), answer.text)
  }
  assert.equal(engine.calls.includes('create'), false)
})

test('a container whose start fails leaves no secret', async (t) => {
  const { create, engine, rig } = await openEgress(t)
  engine.relay = undefined
  assert.equal((await create({ secrets })).status, 422)
  assert.deepEqual(await rig.service.core.store.db.all('SELECT * FROM container_secrets'), [])
})
