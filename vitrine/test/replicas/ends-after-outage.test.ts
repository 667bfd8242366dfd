// What replicas send to a Redis that is back: the ends of calls that it knows, and nothing of calls made without it.
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSharedQuotas } from '../../src/replicas/shared-quota.ts'
import { sharedQuotaScript } from '../../src/replicas/shared-quota-script.ts'
import { createSharedScheduler } from '../../src/replicas/shared-scheduler.ts'
import { noRedis } from '../../../base/test/redis.ts'
import { until } from '../../../base/test/until.ts'
import { readContext } from '../platform/read-context.ts'
import { plainRedis } from '../support/plain-redis.ts'
import { steady } from './schedulers.ts'

const most = 8
const many = { limit: 1_000_000, remaining: 900_000 }

/** a scheduler over a Redis that can go away, and what it was asked */
function startScene(t: TestContext) {
  const real = plainRedis(t)
  const asked: { readonly act: string; readonly id: string }[] = []
  let isUp = true
  const redis: typeof real = {
    ...real,
    isUp: () => isUp,
    state: () => ({ place: '', up: isUp, since: 0 }),
    run: async (script, names, values) => {
      if (!isUp) return undefined
      if (script === sharedQuotaScript) asked.push({ act: String(values[0]), id: String(values[1]) })
      return real.run(script, names, values).catch(() => undefined)
    },
  }
  const sharedQuota = createSharedQuotas({ redis, holdMs: 60_000, mostInFlight: () => most })('key')
  const scheduler = createSharedScheduler({ most, replicas: () => 1, steady, shed: () => {}, sharedQuota })
  const idsOf = (...acts: readonly string[]) => asked.filter(({ act }) => acts.includes(act)).map(({ id }) => id)
  const setUp = (up: boolean) => void (isUp = up)
  t.after(() => setUp(false))
  return { scheduler, asked, idsOf, setUp, enter: () => scheduler.enter(readContext()) }
}

const skip = noRedis

test(
  'after an outage, Redis hears the ends of the calls it granted, and none of the calls made alone',
  { skip },
  async (t) => {
    const { scheduler, idsOf, setUp, enter, asked } = startScene(t)
    // until a call is heard, calls go one at a time
    const first = await enter()
    scheduler.heard({ hour: many }, steady(), { turn: first, isRefusal: false })
    first.leave(true)
    await until(() => idsOf('heard').length === 1)
    const granted = []
    for (let n = 0; n < 6; n++) granted.push(await enter())
    const known = idsOf('reserve').slice(1)
    setUp(false)
    asked.length = 0
    for (const turn of granted) turn.leave(true)
    for (let n = 0; n < 1_500; n++) (await enter()).leave(n % 3 > 0)
    const underWay = await enter()
    setUp(true)
    // a call that was made alone may end when Redis is back
    underWay.leave(true)
    const next = await enter()
    await until(() => idsOf('ended').length >= known.length)
    next.leave(false)
    await until(() => idsOf('release').length > 0)
    assert.equal(known.length, 6)
    assert.deepEqual(idsOf('ended').toSorted(), known.toSorted())
    assert.deepEqual(idsOf('release'), idsOf('reserve'))
  },
)

test('a call made without a reservation is reported all the same when Redis is back', { skip }, async (t) => {
  const { scheduler, idsOf, setUp, enter } = startScene(t)
  setUp(false)
  const turn = await enter()
  setUp(true)
  scheduler.heard({ hour: many }, steady(), { turn, isRefusal: false })
  turn.leave(true)
  await until(() => scheduler.hour()?.remaining === many.remaining)
  assert.deepEqual([idsOf('heard').length, idsOf('ended', 'release').length], [1, 0])
})

/** a Redis without data that answers a moment later; `mostAtOnce` is how many questions waited for it */
function startCounting() {
  const standing = [1, 0, 0, 0, 0, -1, -1, -1, -1]
  const state = { sent: [] as string[], isUp: true, goesAwayAfter: Infinity, waiting: 0, mostAtOnce: 0, back: () => {} }
  const redis: Parameters<typeof createSharedQuotas>[0]['redis'] = {
    name: (...parts) => parts.join(':'),
    isUp: () => state.isUp,
    state: () => ({ place: '', up: state.isUp, since: 0 }),
    whenBack: (act) => void (state.back = act),
    run: async (_script, _names, values) => {
      if (!state.isUp) return undefined
      state.mostAtOnce = Math.max(state.mostAtOnce, ++state.waiting)
      if (state.sent.push(String(values[1])) >= state.goesAwayAfter) state.isUp = false
      await sleep(1)
      state.waiting--
      return state.isUp ? standing : undefined
    },
  }
  return { state, quotaOf: createSharedQuotas({ redis, holdMs: 60_000, mostInFlight: () => 1 }) }
}

test('the ends of many keys are sent a few at a time, and the rest after the next outage', async () => {
  const { state, quotaOf } = startCounting()
  const callsOfKey = 3
  const atOnce = 16 * callsOfKey
  const calls = Array.from({ length: 300 }, (_, n) => quotaOf(`key ${n}`)).flatMap((quota) =>
    Array.from({ length: callsOfKey }, () => ({ quota, id: quota.newId() })),
  )
  state.isUp = false
  for (const { quota, id } of calls) await quota.ended(id)
  Object.assign(state, { isUp: true, goesAwayAfter: 450 })
  state.back()
  await until(() => !state.isUp && state.waiting === 0)
  assert.equal(state.sent.length, 450, 'nothing is sent to a Redis that is away')
  Object.assign(state, { isUp: true, goesAwayAfter: Infinity })
  state.back()
  await until(() => new Set(state.sent).size === calls.length && state.waiting === 0)
  assert.ok(state.sent.length < calls.length + atOnce, 'only what was not confirmed is sent again')
  assert.ok(state.mostAtOnce <= atOnce, `${state.mostAtOnce} at once`)
})
