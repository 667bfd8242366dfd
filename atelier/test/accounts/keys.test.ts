import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test from 'node:test'
import { until } from '../../../base/test/until.ts'
import { redact } from '../../../base/core/redact.ts'
import { openUsedRig } from '../service-rig.ts'

test('a key has the form and the checksum of the contract, and only an HMAC of it is stored', async (t) => {
  const { key, rig } = await openUsedRig(t)
  const [, body = '', prefix = '', checksum] = /^((atl_[0-9a-z]{8})_[\w-]{43})_([0-9a-f]{6})$/.exec(key) ?? []
  assert.equal(createHash('sha256').update(body).digest('hex').slice(0, 6), checksum)
  const stored = await rig.service.core.store.keys.findByPrefix(prefix)
  assert.equal(stored?.digest.length, 32)
  assert.notDeepEqual(Buffer.from(stored?.digest ?? []), createHash('sha256').update(key).digest())
})

test('any other credential is 401, a mistyped one without a look at the store, and a cookie gives nothing', async (t) => {
  const { key, call, rig } = await openUsedRig(t, { settings: { rate: { failuresPerMinute: 0 } } })
  const body = key.slice(0, -7)
  const other = `${body.slice(0, -1)}${body.endsWith('A') ? 'E' : 'A'}`
  const sum = createHash('sha256').update(other).digest('hex').slice(0, 6)
  const wrong = [
    `Bearer ${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
    `Bearer ${other}_${sum}`,
    `Bearer ${key} `.concat('x'), `Basic ${key}`, key, 'Bearer', `Bearer ${key.toUpperCase()}`, `Bearer ${key},${key}`,
  ] // prettier-ignore
  for (const authorization of wrong) {
    const { status, body: said, headers } = await call('GET', '/containers', { headers: { authorization } })
    assert.deepEqual([status, said.error?.type, headers['www-authenticate']], [401, 'unauthorized', 'Bearer'], authorization) // prettier-ignore
  }
  assert.equal((await call('GET', '/containers', { headers: { authorization: `bearer  ${key}` } })).status, 200)
  const { core } = rig.service
  const { mock } = t.mock.method(core.store.keys, 'findUnrevoked')
  await core.keys.authenticate(wrong[0])
  assert.equal(mock.callCount(), 0)
  await core.keys.authenticate(wrong[1])
  assert.equal(mock.callCount(), 1)
})

test('a key ends when it expires or is revoked, from the next request on; a scope that it lacks is named', async (t) => {
  let now = Date.now()
  const { call, rig, account, key, keyId } = await openUsedRig(t, { now: () => now })
  const { text: short } = await rig.key(account, ['containers:read'], now + 60_000)
  assert.equal((await call('GET', '/containers', { key: short })).status, 200)
  const { status, body } = await call('POST', '/containers', { key: short, body: { image: 'base' } })
  assert.deepEqual([status, body.error.type, body.error.details], [403, 'forbidden', { scope: 'containers:write' }])
  now += 60_000
  assert.equal((await call('GET', '/containers', { key: short })).status, 401)
  await rig.service.core.keys.revoke(account, keyId)
  await rig.service.core.keys.revoke(account, keyId)
  assert.equal((await call('GET', '/containers', { key })).status, 401)
  await assert.rejects(rig.service.core.keys.revoke('acc_other', keyId), { code: 'key_not_found' })
})

test('a command that was begun with a key ends when the key is revoked, by another process, too', async (t) => {
  const { call, rig, account, key, keyId, create, engine } = await openUsedRig(t)
  const { body: made } = await create()
  const running = call('POST', '/containers/exec', { key, body: { containerId: made.id, command: ['hang'] } })
  await until(() => engine.commandsOf(made.id).length === 1)
  await rig.service.core.keys.revoke(account, keyId)
  const { status, body } = await running
  assert.deepEqual([status, body.error.type], [401, 'unauthorized'])
  assert.equal(engine.commandsOf(made.id).length, 0)
})

test('failures are limited for an address, and a right key is never refused for them', async (t) => {
  let now = Date.now()
  const { call, key } = await openUsedRig(t, { now: () => now, settings: { rate: { failuresPerMinute: 3 } } })
  const statuses: number[] = []
  for (let n = 0; n < 5; n++) statuses.push((await call('GET', '/containers', { key: 'atl_no' })).status)
  assert.deepEqual(statuses, [401, 401, 401, 429, 429])
  assert.equal((await call('GET', '/containers', { key })).status, 200)
  now += 60_000
  assert.equal((await call('GET', '/containers', { key: 'atl_no' })).status, 401)
})

test('a key has a rate of its own for all requests and one for creations', async (t) => {
  const settings = { rate: { perSecond: 1, burst: 4, createsPerSecond: 1, createBurst: 1 } }
  const { call, rig, account, create, key } = await openUsedRig(t, { settings })
  assert.equal((await create()).status, 201)
  const second = await create()
  assert.deepEqual([second.status, second.body.error.type], [429, 'rate_limited'])
  assert.ok(Number(second.headers['retry-after']) >= 1)
  const statuses: number[] = []
  for (let n = 0; n < 6; n++) statuses.push((await call('GET', '/containers', { key })).status)
  assert.ok(statuses.includes(200) && statuses.includes(429), statuses.join())
  const { text: other } = await rig.key(account)
  assert.equal((await call('GET', '/containers', { key: other })).status, 200)
})

test('the text of a key is redacted wherever it stands in a line', async (t) => {
  const { key } = await openUsedRig(t)
  const lines = [key, `"key":"${key}",`, `GET /x?key=${key}&a=1`, `${key}\n${key}`]
  for (const line of lines) assert.equal(redact(line), line.replaceAll(key, 'atl_[redacted]'))
  const other = key.slice(0, -7)
  assert.equal(redact(other), other)
})
