// F38, F40, F41: a platform that is slow, hangs for one tenant, or is down for a while: what callers get, and when.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { page } from '../support/example-routes.ts'
import { answerOf, respond, startRawPlatform } from '../support/raw-platform.ts'
import { type Answer, startService } from '../support/service.ts'
import { healthyAgain } from './fault.ts'

const healthy = respond(answerOf(JSON.stringify(page.healthy)))
const pathOf = (number: number): string => page.path.replace('s1', `s${number}`)

test('F38: answers that take 50 to 150 ms are all passed on, and the breaker stays closed', async (t) => {
  let asked = 0
  const platform = await startRawPlatform(
    (socket, request) => void setTimeout(() => healthy(socket, request), 50 + ((asked++ * 37) % 100)),
  )
  const service = await startService(platform.url, { file: { upstream: { timeoutMs: 20_000 } } })
  t.after(() => service.close().then(platform.close))
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => service.ask(pathOf(i))))
  for (const { status, json } of answers) assert.deepEqual([status, json], [200, page.answer])
  assert.equal(platform.requests.length, 40)
  assert.ok(!service.events.some(({ kind }) => kind === 'breaker'))
})

/** the platform key that signed a request */
function keyIdOf(request: string): string {
  const head = /bearer ([\w-]+)\./i.exec(request)?.[1] ?? ''
  return JSON.parse(Buffer.from(head, 'base64url').toString()).kid
}

test('F40: a platform that hangs for one tenant does not affect the others', async (t) => {
  const platform = await startRawPlatform((socket, request) => {
    if (keyIdOf(request) !== 'ACMEKEY001') healthy(socket, request)
  })
  const service = await startService(platform.url, { file: { upstream: { timeoutMs: 4_000 } } })
  t.after(() => service.close().then(platform.close))
  let over = 0
  const hung = Array.from({ length: 20 }, (_, i) => service.ask(pathOf(i)).finally(() => over++))
  while (platform.requests.length < 6) await sleep(5)
  const ask = (connection: string, number: number) => service.ask(`/v1/connections/${connection}${pathOf(number)}`)
  for (let i = 0; i < 10; i++) {
    const answers = await Promise.all(['other', 'solo', 'other', 'solo'].map((id, at) => ask(id, i * 4 + at)))
    for (const { status, json } of answers) assert.deepEqual([status, json], [200, page.answer])
  }
  const reached = platform.requests.filter((request) => keyIdOf(request) === 'ACMEKEY001').length
  assert.equal(reached, 6, 'six at once')
  assert.equal(over, 0, 'all of them are answered before the first that hangs is given up')
  // requests still waiting when the first ones time out are rejected at once
  const ends = (await Promise.all(hung)).map(({ status, json: { error } }) => `${status} ${error.type} ${error.code}`)
  const [hangs, isDead] = ['504 upstream_error upstream_timeout', '503 upstream_error upstream_unavailable']
  for (const end of ends) assert.ok([hangs, isDead].includes(end), end)
  assert.ok(ends.filter((end) => end === hangs).length >= 6, ends.join())
  const found = service.events.flatMap((event) => (event.kind === 'breaker' ? [event.connection] : []))
  assert.deepEqual([...new Set(found)], ['acme'])
  assert.equal((await ask('other', 0)).status, 200)
  await healthyAgain({ service, heal: () => void (platform.script = healthy) })
})

const down = { status: 503, type: 'upstream_error', code: 'upstream_unavailable' } as const

function checkDown({ status, json, headers }: Answer, [least, most]: readonly [number, number]) {
  assert.deepEqual({ status, type: json.error.type, code: json.error.code }, down)
  const seconds = Number(headers['retry-after'])
  assert.ok(seconds >= least && seconds <= most, String(headers['retry-after']))
}

test('F41: a platform found down is not called, and is used again within six seconds of its return', async (t) => {
  const platform = await startRawPlatform((socket) => void socket.resetAndDestroy())
  const service = await startService(platform.url)
  t.after(() => service.close().then(platform.close))
  for (let i = 0; i < 2; i++) assert.equal((await service.ask(pathOf(i))).status, 503)
  assert.equal(platform.requests.length, 5, 'five calls in a row')
  for (let i = 0; i < 5; i++) checkDown(await service.ask(pathOf(i)), [1, 1])
  assert.equal(platform.requests.length, 5)
  const backAt = performance.now()
  await healthyAgain({ service, heal: () => void (platform.script = healthy) })
  assert.ok(performance.now() - backAt < 6_000)
  for (let i = 0; i < 10; i++) assert.equal((await service.ask(pathOf(i))).status, 200)
  const states = service.events.flatMap((event) => (event.kind === 'breaker' ? [event.state] : []))
  assert.deepEqual(states, ['open', 'half-open', 'closed'])
})

test('F41: a platform is tried at least every five seconds, however long it was down', async (t) => {
  let aheadMs = 0
  const platform = await startRawPlatform((socket) => void socket.resetAndDestroy())
  const service = await startService(platform.url, { steady: () => performance.now() + aheadMs })
  t.after(() => service.close().then(platform.close))
  for (let i = 0; i < 2; i++) assert.equal((await service.ask(pathOf(i))).status, 503)
  for (const [i, waitMs] of [1_000, 2_000, 4_000, 5_000, 5_000, 5_000].entries()) {
    checkDown(await service.ask(page.path), [1, waitMs / 1_000])
    assert.equal(platform.requests.length, 5 + i)
    aheadMs += waitMs
    assert.equal((await service.ask(page.path)).status, 503)
    assert.equal(platform.requests.length, 6 + i, 'one call finds out, and is not repeated')
  }
  platform.script = healthy
  checkDown(await service.ask(page.path), [1, 5])
  aheadMs += 5_000
  assert.deepEqual((await service.ask(page.path)).json, page.answer)
})
