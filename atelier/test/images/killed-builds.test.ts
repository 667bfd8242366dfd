// The service is killed at each step of a build and of a removal: what is left has a row, and the next start removes the rest.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Builder } from '../../src/images/builder.ts'
import { openCacheRig } from './cache-rig.ts'

const lines = 'FROM base\nRUN ["say","one"]\nRUN ["say","two"]'

async function endOf(builder: Builder, submitted: Promise<{ readonly id: string }>) {
  const { id } = await submitted
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = () => !builder.isAtWork(id) && resolve()
  builder.watch(id, look)
  look()
  await promise
}

for (const when of ['before', 'after'] as const) {
  test(`killed ${when} each step of a build, the service leaves no checkpoint unaccounted`, async (t) => {
    const rig = await openCacheRig(t)
    let step = 1
    for (let isDone = false; !isDone; step++) {
      const { process, builder } = rig.process
      // another one each time, so that nothing of it is cached
      const dockerfile = lines.replace('one', `one ${step}`)
      const died = process.arm(step, when).then(() => 'died' as const)
      isDone = (await Promise.race([died, endOf(builder, rig.submit(dockerfile))])) !== 'died'
      await rig.restart()
      await rig.assertAccounted()
      const { image, cached } = await rig.build(dockerfile)
      assert.equal(image.status, 'ready')
      assert.deepEqual(cached, [2, 3].slice(0, cached.length), `step ${step}`)
      await rig.assertAccounted()
    }
    // for each of the two: the command, its size, a row, the checkpoint and the row again
    assert.ok(step > 10, `${step} steps`)
  })

  test(`killed ${when} each step of a removal, the service removes the rest later`, async (t) => {
    const rig = await openCacheRig(t)
    for (let step = 1, isDone = false; !isDone; step++) {
      await rig.build(lines)
      const [row] = await rig.kept()
      const { process, checkpoints } = rig.process
      const died = process.arm(step, when).then(() => 'died' as const)
      isDone = (await Promise.race([died, checkpoints.drop(row!.id)])) !== 'died'
      await rig.restart()
      await rig.assertAccounted()
      assert.ok(isDone || step <= 3, `${step} steps`)
    }
  })
}
