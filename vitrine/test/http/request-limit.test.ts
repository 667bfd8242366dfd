import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { requestFrom, openMany, connectFrom, until } from '../../../base/test/callers.ts'
import { createRequestLimit } from '../../../base/web/request-limit.ts'
import { page } from '../support/example-routes.ts'
import { type RawService, startRaw, startSlow } from '../support/raw-service.ts'
import { send } from '../support/scripted-platform.ts'
import type { ServiceOptions } from '../support/service.ts'

const here = '127.0.0.1'
const placesOf = (requests: number): ServiceOptions => ({ file: { limits: { requests } } })

/** asks and disconnects */
async function hurry({ service, get }: RawService, times: number, limitFrom: number): Promise<Socket> {
  const asked = Array.from({ length: times }, (_, i) => get(`/v1/connections/acme${page.path}?limit=${limitFrom + i}`))
  return connectFrom(service.port, here, asked.join(''))
}

test('requests over the limit get 503 before anything is read for them', async (t) => {
  const slow = await startSlow(t, placesOf(3))
  const { service, waiting, release, platform } = slow
  const asked = [1, 2, 3].map((i) => service.ask(`${page.path}?limit=${i}`))
  await until('three wait', () => waiting.length === 3)
  for (const key of [service.key, 'wrong', undefined]) {
    const { status, headers, json } = await requestFrom(service.port, here, { key })
    assert.deepEqual([status, json.error.type, json.error.code], [503, 'overloaded', 'too_busy'])
    assert.deepEqual([headers['retry-after'], json.error.retryable], ['1', true])
  }
  for (const path of ['/healthz', '/readyz', '/openapi.json']) assert.equal((await service.ask(path)).status, 200)
  assert.equal(platform.calls.length, 3)
  const shed = service.events.filter((event) => event.kind === 'shed')
  assert.deepEqual(
    shed,
    [1, 2, 3].map(() => ({ kind: 'shed', reason: 'requests' })),
  )
  release()
  assert.deepEqual(
    (await Promise.all(asked)).map(({ status }) => status),
    [200, 200, 200],
  )
  platform.script = (_, res) => send(res, page.healthy)
  for (let i = 0; i < 12; i++)
    assert.equal((await service.ask(i % 2 ? '/nothing' : '/apps?limt=1')).status, i % 2 ? 404 : 400)
  assert.equal((await service.ask(page.path)).status, 200, 'refusals give their places back')
})

test('callers who disconnect free their places, with all that they pipelined', async (t) => {
  const slow = await startSlow(t, placesOf(6))
  const { service, waiting, platform } = slow
  const before = [await hurry(slow, 1, 1), await hurry(slow, 1, 2), await hurry(slow, 4, 3)]
  await until('six wait', () => waiting.length === 6)
  assert.equal((await service.ask(page.path)).status, 503)
  for (const socket of before) socket.resetAndDestroy()
  await until('their calls are ended', () => platform.calls.every((call) => call.socket.destroyed))
  waiting.length = 0
  platform.script = (_, res) => send(res, page.healthy)
  await until('their places are free', async () => (await service.ask(page.path)).status === 200)
  const left = service.events.filter((event) => event.kind === 'answered' && event.status === 499)
  assert.equal(left.length, 6)
})

test('an answer that the caller does not read holds no place', async (t) => {
  const { service, say, get } = await startRaw(t, placesOf(1))
  const deaf = await openMany(20, async () =>
    (await connectFrom(service.port, here, get('/openapi.json').repeat(90))).pause(),
  )
  await sleep(200)
  const { answers } = await say(get('/v1/whoami'))
  assert.equal(answers[0]?.status, 200)
  for (const socket of deaf) socket.destroy()
})

test('when memory is low, requests are rejected while one is in progress, and accepted again when there is enough', async (t) => {
  const clock = { steady: 0 }
  const heap = { share: 0.8, asked: 0 }
  const slow = await startSlow(t, {
    steady: () => performance.now() + clock.steady,
    heapInUse: () => {
      heap.asked++
      return heap.share
    },
  })
  const { service, waiting, platform, release } = slow
  const ask = async () => (await requestFrom(service.port, here, { key: service.key })).status
  const asked = service.ask(page.path)
  await until('one waits', () => waiting.length === 1)
  assert.equal(await ask(), 200)
  heap.share = 0.86
  const begunAt = performance.now()
  heap.asked = 0
  for (let i = 0; i < 40; i++) await ask()
  assert.ok(heap.asked <= 1 + (performance.now() - begunAt) / 250, `measured ${heap.asked} times`)
  clock.steady += 250
  const { status, headers, json } = await requestFrom(service.port, here, { key: service.key })
  assert.deepEqual([status, json.error.code, headers['retry-after']], [503, 'too_busy', '1'])
  assert.deepEqual(
    service.events.findLast(({ kind }) => kind === 'shed'),
    { kind: 'shed', reason: 'memory' },
  )
  assert.equal((await service.ask('/healthz')).status, 200)
  assert.equal(platform.calls.length, 1)
  heap.share = 0.84
  clock.steady += 250
  assert.equal(await ask(), 200)
  heap.share = 0.99
  clock.steady += 250
  assert.equal(await ask(), 503)
  release()
  assert.equal((await asked).status, 200)
  assert.equal(await ask(), 200, 'a single request is accepted, or garbage would never be collected')
})

test('one key cannot hold all the places', async () => {
  const shed: string[] = []
  const places = createRequestLimit({ most: 4_096, observe: (event) => shed.push(event.kind), sample: () => 0 })
  const requests = Array.from({ length: 513 }, () => ({}))
  for (const request of requests) places.take(request)
  for (const request of requests.slice(1)) places.own(request, 'greedy')
  const [one = {}] = requests
  assert.throws(() => places.own(one, 'greedy'), { code: 'too_busy' })
  places.own(one, 'modest')
  for (const request of requests) places.free(request)
  for (const request of requests.slice(1)) {
    places.take(request)
    places.own(request, 'greedy')
  }
  assert.deepEqual(shed, ['shed'])
})

test('places of keys that are not used now are forgotten, and those that are held are not', () => {
  const places = createRequestLimit({ most: 600, observe: () => {}, sample: () => 0 })
  const hold = (key: string) => {
    const request = {}
    places.take(request)
    places.own(request, key)
    return request
  }
  const held = Array.from({ length: 512 }, () => hold('greedy'))
  for (let i = 0; i < 3_000; i++) places.free(hold(`key ${i}`))
  assert.throws(() => hold('greedy'), { code: 'too_busy' })
  for (const request of held) places.free(request)
  assert.doesNotThrow(() => hold('greedy'))
})
