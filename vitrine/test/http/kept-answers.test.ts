// What is left of answers once they are sent, before the next major collection. Requests that waited long are in the old
// generation by then, and what they refer to stays until such a collection.
import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import test from 'node:test'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { until } from '../../../base/test/callers.ts'
import { page } from '../support/example-routes.ts'
import { send } from '../support/scripted-platform.ts'
import { startScripted } from '../support/service.ts'

/** as many as one connection reads at once; texts that are sent from the heap */
const [requests, letters] = [40, 50_000]
/** of the letters of one answer: neither the document of the platform nor the answer is kept */
const mostKept = 0.5

/** bytes of the heap after minor collections, the second of which promotes what is still in use */
function usedBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (how: { type: 'minor' }) => void
  setFlagsFromString('--no-expose-gc')
  for (let i = 0; i < 3; i++) collect({ type: 'minor' })
  return getHeapStatistics().used_heap_size
}

test('an answer that was sent is not kept by the request that waited for it', async (t) => {
  const waiting: (() => void)[] = []
  const [resource] = page.healthy['data']
  const data = [{ ...resource, attributes: { ...resource.attributes, name: 'n'.repeat(letters) } }]
  const links = { self: 'https://platform.example/v1/apps' }
  const { service, close } = await startScripted((_, res) => void waiting.push(() => send(res, { data, links })), {
    file: { upstream: { concurrency: requests } },
  })
  const agent = new Agent({ keepAlive: true })
  t.after(() => {
    agent.destroy()
    return close()
  })
  const read = (limit: number) =>
    new Promise<number>((ok, no) => {
      const headers = { authorization: `Bearer ${service.key}` }
      get(`${service.url}/v1/connections/acme${page.path}?limit=${limit}`, { agent, headers }, (res) => {
        let bytes = 0
        res.on('data', (part: Buffer) => (bytes += part.length)).once('end', () => ok(bytes))
      }).once('error', no)
    })
  // the first round loads and connects
  for (const isMeasured of [false, true, true]) {
    const reads = Array.from({ length: requests }, (_, i) => read(i + 1))
    await until('all wait', () => waiting.length === requests)
    const before = usedBytes()
    for (const answer of waiting.splice(0)) answer()
    assert.ok((await Promise.all(reads)).every((bytes) => bytes > letters))
    const kept = (usedBytes() - before) / requests / letters
    if (isMeasured) assert.ok(kept < mostKept, `${kept.toFixed(2)} of an answer`)
  }
})
