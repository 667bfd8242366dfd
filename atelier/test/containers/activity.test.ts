import assert from 'node:assert/strict'
import test from 'node:test'
import { createActivity } from '../../src/containers/activity.ts'
import { Problem } from '../../src/problems.ts'
import type { ContainerRows } from '../../src/store/container-rows.ts'

test('activity that could not be written is written later', async () => {
  const written: [string, number][] = []
  let isAway = true
  const active = async (id: string, at: number) => {
    if (isAway) throw new Problem('store_unavailable')
    return written.push([id, at])
  }
  const activity = createActivity({ active } as unknown as ContainerRows, () => 1_000)
  activity.work.begin('ct_1', () => {})()
  await assert.rejects(activity.write())
  isAway = false
  await activity.write()
  await activity.write()
  assert.deepEqual(written, [['ct_1', 1_000]])
})
