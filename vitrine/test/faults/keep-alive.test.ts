// F08, F09: connections kept from earlier calls are dead when they are needed.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { page } from '../support/example-routes.ts'
import { answerOf, type RawScript, respond, startRawPlatform } from '../support/raw-platform.ts'
import { startService } from '../support/service.ts'

const healthy = respond(answerOf(JSON.stringify(page.healthy)))

const other = (number: number): string => page.path.replace('s1', `s${number}`)
const forOther = (request: string): string => /^GET (\S+?)\?/.exec(request)?.[1] ?? request

test('F08: a kept socket closes again and again as the request is sent: each replay is free', async (t) => {
  const used = new WeakSet<Socket>()
  const closesWhenKept: RawScript = (socket, request) => {
    if (used.has(socket)) socket.resetAndDestroy()
    else healthy(socket, request)
    used.add(socket)
  }
  const platform = await startRawPlatform(closesWhenKept)
  const service = await startService(platform.url)
  t.after(() => service.close().then(platform.close))
  assert.equal((await service.ask(page.path)).status, 200)
  // more often than the retries of a new connection allow
  for (let i = 1; i <= 12; i++) {
    const { status, json } = await service.ask(page.path)
    assert.deepEqual([status, json], [200, page.answer])
    assert.equal(platform.requests.length, 1 + 2 * i, 'asked once more, and on a new socket')
  }
  assert.equal(platform.connections, 13)
  assert.ok(!service.events.some(({ kind }) => kind === 'breaker'))
})

test('F08: a kept socket that was closed while idle is not used', async (t) => {
  const platform = await startRawPlatform(healthy)
  const service = await startService(platform.url)
  t.after(() => service.close().then(platform.close))
  for (let i = 1; i <= 3; i++) {
    assert.deepEqual((await service.ask(page.path)).json, page.answer)
    assert.equal(platform.requests.length, i)
    for (const socket of platform.sockets) socket.end()
    while (platform.sockets.size > 0) await sleep(10)
  }
})

/** how often each of the concurrent calls reached a platform */
function timesAsked(requests: readonly string[]): number[] {
  const times = new Map<string, number>()
  for (const request of requests) times.set(forOther(request), (times.get(forOther(request)) ?? 0) + 1)
  return [...times.values()]
}

const many = Array.from({ length: 20 }, (_, i) => other(i + 1))

async function checkAllAnswered(answers: ReturnType<Awaited<ReturnType<typeof startService>>['ask']>[]) {
  for (const { status, json, text } of await Promise.all(answers)) {
    assert.equal(status, 200, text)
    assert.deepEqual(json, page.answer)
  }
}

test('F09: all kept sockets are dead when 20 calls arrive: all are answered, none asked more than three times', async (t) => {
  let dead = new Set<Socket>()
  const platform = await startRawPlatform((socket, request) =>
    dead.has(socket) ? void socket.resetAndDestroy() : void setTimeout(() => healthy(socket, request), 50),
  )
  const service = await startService(platform.url, { file: { upstream: { timeoutMs: 10_000 } } })
  t.after(() => service.close().then(platform.close))
  await checkAllAnswered(many.map((path) => service.ask(path)))
  dead = new Set(platform.sockets)
  assert.equal(dead.size, 6)
  platform.requests.length = 0
  await checkAllAnswered(many.map((path) => service.ask(path)))
  const times = timesAsked(platform.requests)
  assert.equal(times.length, 20)
  assert.ok(Math.max(...times) <= 3, `${Math.max(...times)}`)
  assert.equal(platform.requests.length, 26, 'one replay for each dead socket')
})

test('F09: all sockets die while 20 calls wait: all are answered, none asked more than three times', async (t) => {
  const platform = await startRawPlatform(healthy)
  const service = await startService(platform.url, { file: { upstream: { timeoutMs: 10_000 } } })
  t.after(() => service.close().then(platform.close))
  await checkAllAnswered(many.map((path) => service.ask(path)))
  platform.requests.length = 0
  platform.script = () => {}
  const answers = many.map((path) => service.ask(path))
  while (platform.requests.length < 6) await sleep(5)
  platform.script = healthy
  for (const socket of platform.sockets) socket.resetAndDestroy()
  await checkAllAnswered(answers)
  const times = timesAsked(platform.requests)
  assert.equal(times.length, 20)
  assert.equal(Math.max(...times), 2)
  assert.equal(platform.requests.length, 26, 'one replay for each that was under way')
})
