import assert from 'node:assert/strict'
import test from 'node:test'
import { until } from '../../../base/test/until.ts'
import { EngineError } from '../../src/engine/port.ts'
import { openUsedRig } from '../service-rig.ts'

const withKey = (idempotencyKey: string) => ({ headers: { 'idempotency-key': idempotencyKey } })

test('a repeat with the same key and body gets the first answer, over a restart, too; another body is a conflict', async (t) => {
  let now = Date.now()
  const { call, key, rig, engine, account } = await openUsedRig(t, { now: () => now })
  const post = (body: string, by = key, name = 'k 1') =>
    call('POST', '/containers', { key: by, body, ...withKey(name) })
  const first = await post('{"image":"base","labels":{"a":"1","b":"2"},"ttlSeconds":600}')
  assert.deepEqual([first.status, first.headers['idempotency-replayed']], [201, undefined])
  await rig.restart()
  const { text: second } = await rig.key(account)
  const again = await post('{ "ttlSeconds": 6.0e2, "labels": {"b":"2","a":"1"}, "image": "base" }', second)
  assert.deepEqual([again.status, again.headers['idempotency-replayed']], [201, 'true'])
  assert.deepEqual(again.body, first.body)
  assert.equal(again.headers['location'], first.headers['location'])
  assert.notEqual(again.headers['x-request-id'], first.headers['x-request-id'])
  const other = await post('{"image":"base"}')
  assert.deepEqual([other.status, other.body.error.type], [409, 'idempotency_conflict'])
  const { text: stranger } = await rig.key(await rig.account())
  assert.equal((await post('{"image":"base"}', stranger)).status, 201)
  assert.equal(engine.containers.size, 2)
  now += 24 * 60 * 60_000 + 1
  const { text: late } = await rig.key(account)
  const fresh = await post('{"image":"base"}', late)
  assert.deepEqual([fresh.status, fresh.headers['idempotency-replayed']], [201, undefined])
})

test('a first attempt that failed is forgotten; one at work says so', async (t) => {
  const { call, key, engine } = await openUsedRig(t)
  const post = (name = 'one') => call('POST', '/containers', { key, body: { image: 'base' }, ...withKey(name) })
  engine.faults.set('start', new EngineError('start_refused'))
  assert.equal((await post()).status, 422)
  assert.equal((await post()).status, 201)
  assert.equal((await post()).headers['idempotency-replayed'], 'true')
  const all = await Promise.all(Array.from({ length: 6 }, () => post('two')))
  const types = all.map(({ status, body }) => (status === 201 ? 'made' : body.error.type))
  assert.ok(
    types.every((type) => type === 'made' || type === 'idempotency_in_progress'),
    types.join(),
  )
  assert.equal(engine.containers.size, 2)
  const busy = all.find(({ status }) => status === 409)
  assert.ok(busy === undefined || busy.body.error.retryable)
})

test('what was made is answered though the store did not take the answer, and a repeat finds it', async (t) => {
  const { call, key, engine, rig } = await openUsedRig(t)
  const post = () => call('POST', '/containers', { key, body: { image: 'base' }, ...withKey('one') })
  const { idempotency } = rig.service.core.store
  const { keep } = idempotency
  idempotency.keep = () => Promise.reject(new Error('the store is away'))
  const first = await post()
  assert.equal(first.status, 201)
  idempotency.keep = keep
  engine.exit(first.body.id, 0)
  await until(
    async () => (await call('GET', `/containers?id=${first.body.id}`, { key })).body.items[0].status === 'exited',
  )
  const again = await post()
  assert.deepEqual([again.status, again.headers['idempotency-replayed']], [201, 'true'])
  assert.deepEqual([again.body.id, again.body.status], [first.body.id, 'exited'])
  assert.equal(again.headers['location'], first.headers['location'])
  assert.equal(engine.containers.size, 1)
  assert.equal((await call('DELETE', `/containers?id=${first.body.id}`, { key })).status, 200)
  const third = await post()
  assert.deepEqual([third.status, third.body], [201, again.body])
})

test('a key of another form, or where none is taken, is refused', async (t) => {
  const { call, key } = await openUsedRig(t)
  for (const given of ['', ' ', 'a'.repeat(256), 'é']) {
    const { status, body } = await call('POST', '/containers', { key, body: { image: 'base' }, ...withKey(given) })
    assert.deepEqual([status, body.error?.type], [400, 'invalid_request'], JSON.stringify(given))
  }
  const refused = await call('GET', '/containers', { key, ...withKey('a') })
  assert.deepEqual([refused.status, refused.body.error.details.field], [400, 'Idempotency-Key'])
  const long = await call('POST', '/containers', { key, body: { image: 'base' }, ...withKey('~'.repeat(255)) })
  assert.equal(long.status, 201)
})
