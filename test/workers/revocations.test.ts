import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import test from 'node:test'
import { many, startScene } from './scene.ts'

test('a revoked key is refused by the very next request, also on a socket that is open already', async (t) => {
  const { installation, issue, operate } = await startScene(t)
  const agent = new Agent({ keepAlive: true, maxSockets: 2 })
  t.after(() => agent.destroy())
  const knock = (key: string) =>
    new Promise<number>((ok, no) => {
      const headers = { authorization: `Bearer ${key}` }
      get(`${installation.url}/v1/whoami`, { agent, headers }, (res) => {
        res.resume().once('end', () => ok(res.statusCode ?? 0))
      }).once('error', no)
    })
  const keys = await many(40, () => issue())
  for (const { id, key } of keys) {
    assert.deepEqual(await many(2, () => knock(key)), [200, 200])
    await operate('DELETE', `/operator/v1/keys/${id}`)
    assert.deepEqual(await many(2, () => knock(key)), [401, 401])
  }
})
