import assert from 'node:assert/strict'
import test from 'node:test'
import { openUsedRig } from '../service-rig.ts'

test('a transfer whose container is deleted meanwhile says so, whatever it found of the files', async (t) => {
  const { rig, call, create, key } = await openUsedRig(t)
  const { body } = await create()
  const { engine } = rig.service.core
  const { stat } = engine
  engine.stat = async (...given) => {
    await call('DELETE', `/containers?id=${body.id}&graceSeconds=0`, { key })
    return stat(...given)
  }
  const path = `/containers/files?containerId=${body.id}&path=/no/such/file`
  const put = await call('PUT', path, { key, body: 'x', headers: { 'content-type': 'application/octet-stream' } })
  assert.deepEqual([put.status, put.body.error.type], [409, 'container_not_running'])
})
