import assert from 'node:assert/strict'
import test from 'node:test'
import { until } from '../../../base/test/until.ts'
import { makeId } from '../../src/ids.ts'
import { containerTemplate } from '../engines.ts'
import { openUsedRig } from '../service-rig.ts'

test('a container that cannot be removed keeps the sweep from no other one, and the start from nothing', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { rig, engine } = await openUsedRig(t)
  const [first, second, third] = [makeId('ct'), makeId('ct'), makeId('ct')]
  const add = (id: string) => engine.connect().create(containerTemplate({ id, image: 'sha256:base' }))
  for (const id of [first, second]) await add(id)
  engine.stuck.add(first)
  const before = engine.calls.length
  await rig.restart()
  await until(() => engine.calls.slice(before).includes('events'))
  assert.deepEqual([...engine.containers.keys()], [first])

  await add(third)
  t.mock.timers.tick(20_000)
  await until(() => !engine.containers.has(third))
  const failed = () =>
    rig.service.events.some(
      (event) => event.kind === 'swept' && event.sweep === 'reconcile' && event.outcome === 'failed',
    )
  await until(failed)
  engine.stuck.clear()
  t.mock.timers.tick(20_000)
  await until(() => engine.containers.size === 0)
})
