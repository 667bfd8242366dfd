// Clocks that differ from the platform's, and clocks that are set while the service runs.
import assert from 'node:assert/strict'
import { decodeJwt, jwtVerify } from 'jose'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRates } from '../../../base/auth/rate-limits.ts'
import { page } from '../support/example-routes.ts'
import { refuse, type Script, send } from '../support/scripted-platform.ts'
import { publicKey, type Service, startScripted } from '../support/service.ts'

const minute = 60_000
const hour = 60 * minute
/** the true time, also while a test replaces `Date.now` */
const trueNow = Date.now.bind(Date)

const tokenOf = (authorization = ''): string => authorization.replace('Bearer ', '')

/** checks a token as the platform does: signed, not from the future, not expired, valid for 20 minutes at most */
async function isGood(token: string, at: number): Promise<boolean> {
  const options = {
    algorithms: ['ES256'],
    audience: 'appstoreconnect-v1',
    currentDate: new Date(at),
    maxTokenAge: 1_200,
  }
  return jwtVerify(token, publicKey, options).then(
    ({ payload: { exp = Infinity, iat = 0 } }) => exp - iat <= 1_200,
    () => false,
  )
}

/** a platform with its own clock, sent as the Date of every answer */
const strict =
  (clock: () => number): Script =>
  async ({ headers }, res) => {
    const date = { date: new Date(clock()).toUTCString() }
    if (await isGood(tokenOf(headers.authorization), clock())) send(res, page.healthy, date)
    else refuse(res, 401, 'NOT_AUTHORIZED', undefined, date)
  }

const offsets = ({ events }: Service) =>
  events.flatMap((event) => (event.kind === 'clock_offset' ? [event.offsetSec] : []))

for (const [id, words, skewMs] of [
  ['F139', 'ten minutes fast', 10 * minute],
  ['F140', '25 minutes slow', -25 * minute],
  ['F140', '25 minutes fast', 25 * minute],
] as const)
  test(`${id}: a clock that is ${words} costs one extra call, once`, async (t) => {
    let aheadMs = 0
    const world = () => trueNow() + aheadMs
    const { service, platform, close } = await startScripted(strict(world), { now: () => world() + skewMs })
    t.after(close)
    const costOf = async (path: string) => {
      platform.calls.length = 0
      const { status, json } = await service.ask(path)
      assert.deepEqual([status, json], [200, page.answer])
      return platform.calls.length
    }
    assert.equal(await costOf(page.path), 2)
    const [offset = 0, ...others] = offsets(service)
    assert.deepEqual(others, [])
    assert.ok(Math.abs(offset + skewMs / 1_000) <= 2, `${offset} s learnt`)
    const first = tokenOf(platform.calls[1]?.headers.authorization)
    for (let n = 0; n < 5; n++) assert.equal(await costOf(page.path), 1)
    // later tokens use the platform's clock too
    for (let n = 0; n < 3; n++) {
      aheadMs += 9 * minute
      assert.equal(await costOf(page.path), 1)
    }
    assert.notEqual(tokenOf(platform.calls[0]?.headers.authorization), first)
    // and the platform's clock is measured again after ours was corrected
    assert.equal(offsets(service).length, 1)
  })

test('F140: correcting a wrong clock costs one extra call again', async (t) => {
  let skewMs = 25 * minute
  const { service, platform, close } = await startScripted(strict(trueNow), { now: () => trueNow() + skewMs })
  t.after(close)
  assert.equal((await service.ask(page.path)).status, 200)
  skewMs = 0
  platform.calls.length = 0
  assert.deepEqual([(await service.ask(page.path)).status, platform.calls.length], [200, 2])
  assert.deepEqual([(await service.ask(page.path)).status, platform.calls.length], [200, 3])
  assert.ok(Math.abs(offsets(service)[1] ?? 99) <= 2)
})

/** a wall clock that the test sets for the whole process */
function wallClock(t: TestContext): { stepMs: number } {
  const wall = { stepMs: 0 }
  t.mock.method(Date, 'now', () => trueNow() + wall.stepMs)
  return wall
}

const steps = [hour, 0, -hour, 0, hour]

test('F141: setting the clock by an hour while the service runs fails no request', async (t) => {
  const wall = wallClock(t)
  const { service, platform, close } = await startScripted(strict(trueNow))
  t.after(close)
  for (const stepMs of [0, ...steps]) {
    wall.stepMs = stepMs
    platform.calls.length = 0
    for (let n = 0; n < 3; n++) assert.equal((await service.ask(page.path)).status, 200, `at ${stepMs} ms`)
    assert.ok(platform.calls.length <= 4, `${platform.calls.length} calls at ${stepMs} ms`)
  }
  assert.deepEqual(
    service.events.filter(({ kind }) => kind === 'breaker' || kind === 'key_rejected'),
    [],
  )
})

test('F141: a key over its rate limit gets a Retry-After of a minute at most, wherever the clock is set to', async (t) => {
  const wall = wallClock(t)
  const { service, close } = await startScripted((_, res) => send(res, page.healthy))
  t.after(close)
  for (const stepMs of steps) {
    const key = await service.issue({ perMinute: 2 })
    wall.stepMs = 0
    for (let n = 0; n < 2; n++) assert.equal((await service.ask(page.path, { key })).status, 200)
    assert.equal((await service.ask(page.path, { key })).status, 429)
    wall.stepMs = stepMs
    const { status, headers } = await service.ask(page.path, { key })
    const reset = Number(/t=(\d+)/.exec(String(headers['ratelimit']))?.[1])
    assert.ok(reset >= 1 && reset <= 60, `${reset} s at ${stepMs} ms`)
    assert.deepEqual([status, Number(headers['retry-after'])], [429, reset])
  }
})

test('F141: a key over its rate limit is served again a minute later, however the clock was set meanwhile', async (t) => {
  const wall = wallClock(t)
  let steadyMs = 0
  const rates = createRates(2, () => steadyMs)
  const take = async () => (await rates.take({ id: 'k', perMinute: null }))?.allowed
  for (const stepMs of [hour, -hour, -30_000]) {
    assert.deepEqual([await take(), await take(), await take()], [true, true, false])
    wall.stepMs += stepMs
    assert.equal(await take(), false)
    steadyMs += minute
    wall.stepMs += minute
  }
})

test('F141: an open breaker and a pause requested by the platform end in time although the clock is set back', async (t) => {
  const wall = wallClock(t)
  const { service, platform, close } = await startScripted(strict(trueNow))
  t.after(close)
  const untilServed = async (mostMs: number) => {
    platform.script = strict(trueNow)
    const from = performance.now()
    while ((await service.ask(page.path)).status !== 200) {
      assert.ok(performance.now() - from < mostMs, 'still refused')
      await sleep(50)
    }
  }
  assert.equal((await service.ask(page.path)).status, 200)
  platform.script = (_, res) => refuse(res, 503, 'DOWN')
  const isOpen = () => service.events.some((event) => event.kind === 'breaker' && event.state === 'open')
  while (!isOpen()) assert.equal((await service.ask(page.path)).status, 503)
  wall.stepMs = -hour
  await untilServed(6_000)

  platform.script = (_, res) => refuse(res, 429, 'RATE', undefined, { 'retry-after': '1' })
  assert.equal((await service.ask(page.path)).status, 429)
  wall.stepMs = -2 * hour
  await untilServed(6_000)
})

for (const [words, date] of [
  ['of 1970', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ['of 2099', 'Thu, 31 Dec 2099 23:59:59 GMT'],
  ['of 25 hours ago', new Date(trueNow() - 25 * hour).toUTCString()],
  ['that is none', 'yesterday'],
] as const)
  test(`F142: a platform date ${words} is not used to date tokens`, async (t) => {
    let refusals = 1
    const { service, platform, close } = await startScripted((_, res) => {
      if (refusals-- > 0) refuse(res, 401, 'NOT_AUTHORIZED', undefined, { date })
      else send(res, page.healthy, { date })
    })
    t.after(close)
    assert.deepEqual([(await service.ask(page.path)).status, platform.calls.length], [200, 2])
    refusals = 1
    assert.deepEqual([(await service.ask(page.path)).status, platform.calls.length], [200, 4])
    for (const { headers } of platform.calls) {
      const { iat = 0, exp = 0 } = decodeJwt(tokenOf(headers.authorization))
      assert.ok(Math.abs(iat - trueNow() / 1_000) < 120 && exp - iat <= 1_200, `${iat} to ${exp}`)
    }
    assert.deepEqual(offsets(service), [])
  })
