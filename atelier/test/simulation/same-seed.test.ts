// The same seed does the same in every process: nothing of the engine's client, the store or Node's own HTTP depends on anything else.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import test from 'node:test'
import { subject } from './containers/subject.ts'

const simulate = join(import.meta.dirname, '../../../base/test/simulator/simulate.ts')

test('a seed over containers does the same in this process and in another', { timeout: 60_000 }, async () => {
  await subject.runPlan(subject.makePlan(2, 0.5))
  const { hash } = await subject.runPlan(subject.makePlan(5, 0.5))
  const args = [simulate, '--subject', 'containers', '--seed', '5', '--hours', '0.5']
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.match(stdout, new RegExp(`hash ${hash},`))
})
