import assert from 'node:assert/strict'
import test from 'node:test'
import { startScene } from '../workers/scene.ts'
import { agentOverHttp } from './scene.ts'

test(
  'agents are answered by every worker: no call needs the one that answered before',
  { timeout: 60_000 },
  async (t) => {
    const scene = await startScene(t)
    const { key } = await scene.issue()
    const { url } = scene.installation
    const agents = await Promise.all(Array.from({ length: 6 }, () => agentOverHttp(t, { url, key }, 'old')))
    const told = await Promise.all(
      agents.map(({ call }) => call('read', { operation: 'listApps', connection: 'acme' })),
    )
    for (const { said } of told) assert.deepEqual([said.complete, said.rows[0].name], [true, 'one'])
  },
)
