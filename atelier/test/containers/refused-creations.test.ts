import assert from 'node:assert/strict'
import test from 'node:test'
import { EngineError } from '../../src/engine/port.ts'
import { openUsedRig } from '../service-rig.ts'

test('egress is forbidden unless the operator allows it', async (t) => {
  const { create, engine } = await openUsedRig(t)
  const { status, body } = await create({ network: 'egress' })
  assert.deepEqual([status, body.error.type, body.error.details], [403, 'forbidden', { field: 'network' }])
  assert.match(body.error.message, /operator/)
  assert.doesNotMatch(body.error.message, /scope/)
  assert.equal(engine.calls.includes('create'), false)
  const open = await openUsedRig(t, { settings: { egress: true } })
  const { status: created, body: made } = await open.create({ network: 'egress' })
  assert.deepEqual([created, made.network], [201, 'egress'])
  assert.equal(open.engine.containers.get(made.id)?.template.network, 'egress')
  const { body: usual } = await open.create()
  assert.deepEqual([usual.network, open.engine.containers.get(usual.id)?.template.network], ['none', 'none'])
})

test('an engine without space or user namespaces has no capacity, and a creation that meets it leaves nothing', async (t) => {
  const { create, engine, rig } = await openUsedRig(t)
  for (const call of ['create', 'start']) {
    engine.faults.set(call, new EngineError('no_space', '500 write /var/lib/x: no space left on device'))
    const { status, body, headers } = await create({ name: 'same' })
    assert.deepEqual([status, body.error.type], [503, 'no_capacity'], call)
    assert.match(String(headers['retry-after']), /^\d+$/)
    assert.doesNotMatch(JSON.stringify(body), /var|device/)
    assert.equal(engine.containers.size, 0)
    assert.deepEqual(await rig.service.core.store.containers.living(), [])
  }
  assert.equal((await create({ name: 'same' })).status, 201)
})
