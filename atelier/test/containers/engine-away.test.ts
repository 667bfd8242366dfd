import assert from 'node:assert/strict'
import test from 'node:test'
import { until } from '../../../base/test/until.ts'
import { EngineError } from '../../src/engine/port.ts'
import { openUsedRig } from '../service-rig.ts'

test('without an engine the service serves, refuses what needs it, and keeps nothing of what failed', async (t) => {
  const { engine, call, create, key, rig } = await openUsedRig(t, { settings: { limits: { containers: 2 } } })
  const { body: made } = await create({ name: 'kept' })
  engine.leave()
  assert.equal((await call('GET', '/healthz')).status, 200)
  const ready = await call('GET', '/readyz')
  assert.deepEqual([ready.status, ready.body.status, ready.body.checks.engine], [503, 'not_ready', 'unavailable'])
  for (let round = 0; round < 4; round++) {
    const { status, body, headers } = await create({ name: 'next' })
    assert.deepEqual([status, body.error.type], [503, 'engine_unavailable'])
    assert.ok(Number(headers['retry-after']) > 0)
    assert.doesNotMatch(JSON.stringify(body), /secret|ENOENT/)
  }
  const exec = { key, body: { containerId: made.id, command: ['say', 'x'] } }
  for (const refused of [
    await call('POST', '/containers/exec', exec),
    await call('DELETE', `/containers?id=${made.id}`, { key }),
  ])
    assert.deepEqual([refused.status, refused.body.error.type], [503, 'engine_unavailable'])
  const { body: listed } = await call('GET', '/containers', { key })
  assert.deepEqual(listed.items.map(({ status }: { status: string }) => status), ['running']) // prettier-ignore
  engine.comeBack()
  const { body: usage } = await call('GET', '/subscription/config', { key })
  assert.equal(usage.current.usage.containers, 1)
  assert.equal((await create({ name: 'next' })).status, 201)
  assert.equal((await call('POST', '/containers/exec', exec)).body.stdout, 'x')
  assert.equal((await rig.service.core.store.containers.living()).length, 2)
})

test('a creation that broke off in the engine is cleared within 5 seconds of its return', async (t) => {
  const { engine, create, call, key } = await openUsedRig(t, { settings: { limits: { containers: 1 } } })
  await until(() => engine.calls.includes('events'))
  engine.faults.set('start', new EngineError('unavailable', 'socket hang up'))
  engine.faults.set('remove', new EngineError('unavailable', 'socket hang up'))
  const broken = await create({ name: 'one' })
  assert.deepEqual([broken.status, broken.body.error.type], [503, 'engine_unavailable'])
  assert.equal(engine.containers.size, 1)
  engine.leave()
  engine.comeBack()
  await until(() => engine.containers.size === 0, 5_000)
  const { body } = await call('GET', '/subscription/config', { key })
  assert.equal(body.current.usage.containers, 0)
  assert.equal((await create({ name: 'one' })).status, 201)
})

test('a failed start frees its name, though an event of its container comes before it is cleared', async (t) => {
  const { engine, create, rig } = await openUsedRig(t)
  const rows = rig.service.core.store.containers
  await until(() => engine.calls.includes('events'))
  engine.faults.set('start', new EngineError('unavailable', 'socket hang up'))
  engine.faults.set('remove', new EngineError('unavailable', 'socket hang up'))
  assert.equal((await create({ name: 'one' })).status, 503)
  const { ended } = rows
  const looked = Promise.withResolvers<void>()
  rows.ended = async (...given) => {
    const changed = await ended(...given)
    looked.resolve()
    return changed
  }
  for (const id of engine.containers.keys()) engine.exit(id, 137)
  await looked.promise
  engine.leave()
  engine.comeBack()
  await until(() => engine.containers.size === 0, 5_000)
  assert.equal((await create({ name: 'one' })).status, 201)
})

test('a service that starts without its engine works by itself once the engine is there', async (t) => {
  const used = await openUsedRig(t)
  await used.create()
  used.engine.leave()
  await used.rig.restart()
  assert.equal((await used.create()).body.error.type, 'engine_unavailable')
  used.engine.comeBack()
  await until(async () => (await used.call('GET', '/readyz')).status === 200, 5_000)
  assert.equal((await used.create()).status, 201)
  await until(() => used.rig.service.events.some(({ kind }) => kind === 'engine_back'), 5_000)
})

test('a container that ends by itself is exited, one that vanished is failed, and both say so when used', async (t) => {
  const { engine, create, call, key } = await openUsedRig(t)
  await until(() => engine.calls.includes('events'))
  const { body: ended } = await create({ command: ['run'] })
  engine.exit(ended.id, 3)
  const state = async (id: string) => (await call('GET', `/containers?id=${id}`, { key })).body.items[0]
  await until(async () => (await state(ended.id)).status === 'exited')
  const { statusReason, exitCode } = await state(ended.id)
  assert.deepEqual([statusReason, exitCode], ['main_exited', 3])
  const { body: lost } = await create()
  engine.containers.delete(lost.id)
  for (const [id, details] of [
    [lost.id, { status: 'failed', statusReason: 'engine_lost' }],
    [ended.id, { status: 'exited', statusReason: 'main_exited' }],
  ]) {
    const { status, body } = await call('POST', '/containers/exec', {
      key,
      body: { containerId: id, command: ['say'] },
    })
    assert.deepEqual([status, body.error.type, body.error.details], [409, 'container_not_running', details])
  }
  const { body: usage } = await call('GET', '/subscription/config', { key })
  assert.equal(usage.current.usage.containers, 1)
})

test('a failed start leaves no object, no row and no quota, and says why in words of its own', async (t) => {
  const { engine, create, rig } = await openUsedRig(t)
  const cases = [
    ['create', new EngineError('failed', 'OCI runtime error: /var/lib/x'), 'other'],
    ['start', new EngineError('start_refused', 'runc: permission denied'), 'other'],
    ['start', new EngineError('bad_working_dir'), 'bad_working_dir'],
    ['create', new EngineError('no_shell'), 'no_shell'],
  ] as const
  for (const [name, fault, reason] of cases) {
    engine.faults.set(name, fault)
    const { status, body } = await create({ name: 'same' })
    assert.deepEqual([status, body.error.type, body.error.details.reason], [422, 'start_failed', reason])
    assert.doesNotMatch(JSON.stringify(body), /OCI|runc|var/)
  }
  const { body } = await create({ name: 'same', command: ['missing'] })
  assert.deepEqual([body.error.type, body.error.details.reason], ['start_failed', 'not_found'])
  assert.equal(engine.containers.size, 0)
  assert.deepEqual(await rig.service.core.store.containers.living(), [])
  assert.equal((await create({ name: 'same' })).status, 201)
})

test('at a restart strange objects of this instance go, and rows without an object fail', async (t) => {
  const used = await openUsedRig(t)
  const { body: kept } = await used.create()
  const { body: lost } = await used.create()
  const template = used.engine.containers.get(kept.id)?.template
  assert.ok(template)
  await used.engine.connect().create({ ...template, id: 'ct_00000000000000000000000000' })
  used.engine.containers.delete(lost.id)
  await used.rig.restart()
  await until(() => used.engine.containers.size === 1)
  await until(async () => (await used.call('GET', `/containers?id=${lost.id}`, { key: used.key })).body.items[0].status === 'failed') // prettier-ignore
  assert.equal((await used.call('GET', `/containers?id=${kept.id}`, { key: used.key })).body.items[0].status, 'running')
})

test('an engine that answers a ping and no list is away after two lists, and the service is not ready', async (t) => {
  const { engine, call, rig } = await openUsedRig(t)
  await until(() => engine.calls.includes('events'))
  const { events, core } = rig.service
  const outages = () => events.flatMap((one) => (/^engine_(away|back)$/.test(one.kind) ? [one] : []))
  const list = () => core.engine.list().catch(() => {})
  const state = async () => (await call('GET', '/readyz')).body.checks?.engine ?? 'ok'
  for (const fault of [new EngineError('timeout'), new EngineError('failed', '500 dead lock')]) {
    events.length = 0
    engine.faults.set('list', fault)
    await list()
    await list()
    engine.faults.set('list', fault)
    await list()
    assert.deepEqual(outages(), [], 'one list may fail')
    engine.faults.set('list', fault)
    await list()
    assert.deepEqual(outages().map(({ kind }) => kind), ['engine_away']) // prettier-ignore
    await assert.rejects(core.engine.ping(), EngineError)
    await until(async () => (await state()) === 'unavailable')
    await list()
    assert.deepEqual(outages().at(-1), { kind: 'engine_back', dialect: 'podman', version: '4.3.1' })
    await core.engine.ping()
    await until(async () => (await state()) === 'ok')
  }
})

test('an engine that cannot be reached is away at once, and sizes that fail alone are no outage', async (t) => {
  const { engine, rig } = await openUsedRig(t)
  await until(() => engine.calls.includes('events'))
  const { events, core } = rig.service
  const kinds = () => events.map(({ kind }) => kind).filter((kind) => kind.startsWith('engine_a'))
  for (let round = 0; round < 3; round++) {
    engine.faults.set('sizes', new EngineError('failed', '500 lstat: file name too long'))
    await core.engine.sizes().catch(() => {})
  }
  assert.deepEqual(kinds(), [])
  engine.leave()
  await core.engine.sizes().catch(() => {})
  assert.deepEqual(kinds(), ['engine_away'])
  engine.comeBack()
  await until(() => events.some(({ kind }) => kind === 'engine_back'), 5_000)
})

test('the first failure of a sweep is logged with its reason, and its next ones are not', async (t) => {
  const { engine, rig } = await openUsedRig(t)
  const { events, core } = rig.service
  await until(() => engine.calls.includes('events'))
  await core.store.db.close()
  const failed = () => events.filter((one) => one.kind === 'swept' && one.sweep === 'due' && one.outcome === 'failed')
  await until(() => failed().length >= 2, 10_000)
  const logged = events.flatMap((one) => (one.kind === 'sweep_failed' && one.sweep === 'due' ? [one.reason] : []))
  assert.deepEqual([logged.length, logged[0]?.startsWith('store_unavailable: ')], [1, true])
})
