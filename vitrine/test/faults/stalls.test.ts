// A stalled process, a defect in a handler, and failing randomness, all in the test's own process.
import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import test, { type TestContext } from 'node:test'
import { Worker } from 'node:worker_threads'
import { setTimeout as sleep } from 'node:timers/promises'
import { routes } from '../../src/catalogue/index.ts'
import { page } from '../support/example-routes.ts'
import { send } from '../support/scripted-platform.ts'
import { type Service, startScripted, startService } from '../support/service.ts'
import { startManager } from '../operator/manager.ts'

/** a platform on its own thread, which answers while this thread is stalled */
async function startApart(t: TestContext, delayMs: number): Promise<string> {
  const code = `
    const { createServer } = require('node:http')
    const { parentPort, workerData } = require('node:worker_threads')
    const server = createServer((_, res) => setTimeout(() => {
      res.setHeader('content-type', 'application/json')
      res.end(workerData.body)
    }, workerData.delayMs))
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`
  const worker = new Worker(code, { eval: true, workerData: { delayMs, body: JSON.stringify(page.healthy) } })
  t.after(() => worker.terminate())
  const port = await new Promise<number>((ok) => worker.once('message', ok))
  return `http://127.0.0.1:${port}`
}

function standStill(ms: number) {
  const until = performance.now() + ms
  while (performance.now() < until);
}

const pathOf = (n: number): string => page.path.replace('s1', `s${n}`)
const breakers = ({ events }: Service) => events.filter(({ kind }) => kind === 'breaker')

test('F175: after a stall of two seconds every call in progress is answered, and the breaker is closed', async (t) => {
  const service = await startService(await startApart(t, 100), { file: { upstream: { timeoutMs: 8_000 } } })
  t.after(service.close)
  // once with sockets still to be opened, once with open ones
  for (const beganMs of [0, 60]) {
    const asked = Array.from({ length: 30 }, (_, n) => service.ask(pathOf(n)))
    await sleep(beganMs)
    standStill(2_000)
    for (const { status, json } of await Promise.all(asked)) assert.deepEqual([status, json], [200, page.answer])
  }
  const from = performance.now()
  for (let n = 0; n < 5; n++) assert.equal((await service.ask(pathOf(n))).status, 200)
  assert.ok(performance.now() - from < 2_000)
  assert.deepEqual(breakers(service), [])
})

test('F175: deadlines that passed during a stall do not count against the platform', async (t) => {
  const service = await startService(await startApart(t, 400), { file: { upstream: { timeoutMs: 1_500 } } })
  t.after(service.close)
  assert.equal((await service.ask(page.path)).status, 200)
  const asked = Array.from({ length: 12 }, (_, n) => service.ask(pathOf(n)))
  // all of them are under way by then, and none is answered
  await sleep(300)
  standStill(2_500)
  for (const { status, json } of await Promise.all(asked))
    if (status !== 200) assert.deepEqual([status, json.error.code], [504, 'upstream_timeout'])
  assert.equal((await service.ask(page.path)).status, 200)
  assert.deepEqual(breakers(service), [])
})

test('F177: a defect in a handler is 500 for its own request only', async (t) => {
  let broken = false
  const name = 'listSubscriptionOfferCodes'
  const bad = { ...routes.find(({ operation }) => operation === name) }
  const route = Object.defineProperty(bad, 'type', {
    enumerable: true,
    get() {
      if (broken) throw new TypeError('a defect with a CANARY in its words')
      return 'subscriptionOfferCodes'
    },
  })
  const others = routes.filter(({ operation }) => operation !== name)
  const { service, close } = await startScripted((_, res) => send(res, page.healthy), {
    routes: [...others, route as (typeof routes)[number]],
  })
  t.after(close)
  assert.equal((await service.ask(page.path)).status, 200)
  broken = true
  for (let n = 0; n < 3; n++) {
    const [one, other] = await Promise.all([service.ask(page.path), service.ask('/v1/whoami')])
    assert.deepEqual([one.status, one.json.error.type, other.status], [500, 'internal_error', 200])
    assert.ok(!one.text.includes('CANARY'))
  }
  const failed = service.events.filter((event) => event.kind === 'failed')
  assert.deepEqual(
    failed.map(({ reason }) => reason),
    ['TypeError', 'TypeError', 'TypeError'],
  )
  broken = false
  assert.deepEqual((await service.ask(page.path)).json, page.answer)
})

test('F167: without a source of randomness no secret is made, and no weaker one takes its place', async (t) => {
  const { ask, service } = await startManager(t)
  const real = crypto.randomBytes
  const fail = t.mock.method(crypto, 'randomBytes', (size: number) => {
    // requests still get their ids, which are drawn a block at a time
    if (size > 12 && size < 1_024) throw Object.assign(new Error('CANARY'), { code: 'ERR_CRYPTO_OPERATION_FAILED' })
    return real(size)
  })
  syncBuiltinESMExports()
  const restore = () => {
    fail.mock.restore()
    syncBuiltinESMExports()
  }
  t.after(restore)
  const body = { name: 'x', connections: ['*'] }
  const { status, text } = await ask('POST', '/keys', { body })
  assert.ok(status === 500 || status === 503, `${status}`)
  assert.ok(!text.includes('CANARY') && fail.mock.callCount() > 0)
  assert.equal((await ask('GET', '/keys')).json.items.length, 1)
  assert.equal((await service.ask('/apps?limit=1')).status, 200)
  restore()
  assert.equal((await ask('POST', '/keys', { body })).status, 201)
})
