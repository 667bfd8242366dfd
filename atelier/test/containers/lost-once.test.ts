import assert from 'node:assert/strict'
import test from 'node:test'
import { until } from '../../../base/test/until.ts'
import { openUsedRig } from '../service-rig.ts'

test('a container that is lost counts once, however often rows and engine are compared', async (t) => {
  const { rig, engine, create } = await openUsedRig(t)
  await until(() => engine.calls.includes('events'))
  const { body: lost } = await create()
  engine.containers.delete(lost.id)
  for (let round = 0; round < 3; round++) {
    const earlier = engine.calls.filter((name) => name === 'images').length
    engine.leave()
    engine.comeBack()
    await until(() => engine.calls.filter((name) => name === 'images').length > earlier, 5_000)
  }
  const told = rig.service.events.flatMap((event) => (event.kind === 'reconciled' ? [event.lost] : []))
  assert.deepEqual(told, [1])
})
