// What is left of answers once they are sent, before the next major collection. Requests that waited long are in the old
// generation by then, and what they refer to stays until such a collection.
import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { Socket } from 'node:net'
import test from 'node:test'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { AbortGroup, LightAbort } from '../../../base/core/abort.ts'
import { createRequestLimit } from '../../../base/web/request-limit.ts'
import { createConnectionLimit } from '../../../base/web/sockets.ts'
import { until } from '../../../base/test/callers.ts'
import { LeaderRequest } from '../../src/replicas/leader-request.ts'
import { WakeUps } from '../../src/replicas/wake-ups.ts'
import { readContext } from '../platform/read-context.ts'
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

/** bytes that each of many rounds leaves on the heap, once all is at rest */
function keptBy(act: () => void): number {
  const rounds = 5_000
  const actAll = () => {
    for (let i = 0; i < rounds; i++) act()
  }
  actAll()
  const before = usedBytes()
  actAll()
  return (usedBytes() - before) / rounds
}

test('what counts requests and sockets leaves nothing behind', () => {
  const places = createRequestLimit({ most: 100, observe: () => {}, sample: () => 0 })
  const crowd = createConnectionLimit({ most: 100, mostInAll: 100, isTrusted: () => false, observe: () => {} })
  const sockets = Array.from({ length: 8 }, () =>
    Object.defineProperty(new Socket(), 'remoteAddress', { value: '192.0.2.1' }),
  )
  for (const socket of sockets) crowd.enter(socket)
  const kept = keptBy(() => {
    for (const socket of sockets) {
      const request = {}
      crowd.busy(socket)
      places.take(request)
      places.own(request, 'key')
      places.free(request)
      crowd.idle(socket)
    }
  })
  assert.ok(kept < 80, `${kept.toFixed(0)} bytes of eight requests`)
})

test('what replicas share leaves nothing behind', () => {
  const [wakeUps, stop] = [new WakeUps(), new AbortGroup()]
  const parts = { steady: () => 0, isAwaited: async () => false, stop, onArrival: async () => {} }
  const kept = keptBy(() => {
    const wakeUp = wakeUps.add('lease')
    const leader = new LeaderRequest(readContext({ signal: new LightAbort() }), parts)
    assert.equal(leader.endsAt > 0, true)
    leader.end()
    wakeUps.remove(wakeUp)
  })
  assert.ok(kept < 100, `${kept.toFixed(0)} bytes of a read`)
})

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
