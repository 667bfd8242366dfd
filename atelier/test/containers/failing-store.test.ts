// A store that fails around a start: nobody keeps a container that no caller knows of.
import assert from 'node:assert/strict'
import test from 'node:test'
import { Problem } from '../../src/problems.ts'
import { openUsedRig } from '../service-rig.ts'

test('a start that the store noted without an answer leaves no row and no container', async (t) => {
  const { rig, engine, create } = await openUsedRig(t)
  const rows = rig.service.core.store.containers
  const { started } = rows
  rows.started = async (...given) => {
    await started(...given)
    throw new Problem('store_unavailable')
  }
  assert.equal((await create({ name: 'one' })).status, 503)
  assert.deepEqual([await rows.living(), engine.containers.size], [[], 0])
  rows.started = started
  assert.equal((await create({ name: 'one' })).status, 201)
})

test('a container that runs is answered, though the store fails right after its start', async (t) => {
  const { rig, engine, call, key } = await openUsedRig(t)
  const rows = rig.service.core.store.containers
  const { started, find } = rows
  rows.started = async (...given) => {
    rows.find = () => Promise.reject(new Problem('store_unavailable'))
    return started(...given)
  }
  const request = { key, headers: { 'idempotency-key': 'k' }, body: { image: 'base' } }
  const first = await call('POST', '/containers', request)
  assert.deepEqual([first.status, first.body.status], [201, 'running'])
  Object.assign(rows, { started, find })
  const again = await call('POST', '/containers', request)
  assert.deepEqual([again.body, engine.containers.size], [first.body, 1])
})
