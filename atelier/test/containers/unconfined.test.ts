import assert from 'node:assert/strict'
import test from 'node:test'
import { until } from '../../../base/test/until.ts'
import { openUsedRig } from '../service-rig.ts'

const problem = 'The engine lets containers make the system call keyctl: it does not apply the seccomp profile.'

test('the service does not start over an engine without the seccomp profile, and starts when it is applied', async (t) => {
  const { engine, rig } = await openUsedRig(t)
  engine.unconfined = problem
  await assert.rejects(rig.restart(), { message: `${problem} \`atelier doctor\` names the fix.` })
  engine.unconfined = undefined
  await rig.restart()
  assert.equal((await rig.call('GET', '/healthz')).status, 200)
})

test('an engine that is away at the start is tried when it is back, and creates nothing while it is unconfined', async (t) => {
  const { engine, rig, create } = await openUsedRig(t)
  engine.leave()
  engine.unconfined = problem
  await rig.restart()
  assert.equal((await rig.call('GET', '/healthz')).status, 200)
  engine.comeBack()
  await until(() => rig.service.events.some(({ kind }) => kind === 'engine_back'))
  const { status, body } = await create()
  assert.deepEqual([status, body.error.type], [502, 'engine_error'])
  assert.doesNotMatch(JSON.stringify(body), /keyctl|seccomp/)
  assert.deepEqual([engine.containers.size, await rig.service.core.store.containers.living()], [0, []])
  engine.unconfined = undefined
  assert.equal((await create()).status, 201)
})
