import assert from 'node:assert/strict'
import test from 'node:test'
import type { Errand } from '../../src/engine/port.ts'
import { Problem } from '../../src/problem.ts'
import { createAskedGovernors } from '../../src/workers/asked-governor.ts'
import { createAskedLockOut, createAskedRates } from '../../src/workers/asked-limits.ts'
import { createKeeper, type KeeperOptions } from '../../src/workers/keeper.ts'
import { gather, hear, type Put, type ToKeeper, type ToWorker } from '../../src/workers/messages.ts'
import { mergeLines } from '../../src/workers/lines.ts'
import { errand } from '../platform/errands.ts'

const soon = () => new Promise((ok) => setTimeout(ok, 12))
const over = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** a keeper and workers in one process, with JSON between them */
function makeCrew(options: Partial<KeeperOptions> = {}) {
  const keeper = createKeeper({ concurrency: 2, perMinute: 0, failuresPerMinute: 3, shed: () => {}, ...options })
  const join = () => {
    const hearing = {}
    const client = keeper.enter(gather<ToWorker>((messages) => hear(over(messages), hearing)))
    let messages = 0
    const put: Put<ToKeeper> = gather((all) => {
      messages++
      hear(over(all), client.hearing)
    })
    const governors = createAskedGovernors(put)
    const rates = createAskedRates(options.perMinute ?? 0, put)
    const lockOut = createAskedLockOut(put)
    Object.assign(hearing, governors.hearing, rates.hearing, lockOut.hearing)
    return { governor: governors.of('key'), rates, lockOut, die: () => client.leave(), messages: () => messages }
  }
  return { keeper, join, real: () => keeper.governorOf('key') }
}

test('turns of all workers together are no more than there are, and what one gives back another gets', async () => {
  const { join, real } = makeCrew()
  const [a, b] = [join(), join()]
  const [first] = await Promise.all([a.governor.enter(errand({ who: 'a' })), b.governor.enter(errand({ who: 'b' }))])
  let got = false
  const third = b.governor.enter(errand({ who: 'b' })).then((turn) => ((got = true), turn))
  await soon()
  assert.deepEqual([got, real().state().running, real().state().waiting], [false, 2, 1])
  first.leave(true)
  first.leave(true)
  await third
  assert.equal(real().state().running, 2)
})

test('a worker that dies gives back its turns, and no longer waits', async () => {
  const { join, real } = makeCrew()
  const [a, b] = [join(), join()]
  await Promise.all([a.governor.enter(errand()), a.governor.enter(errand())])
  void a.governor.enter(errand())
  const waiting = b.governor.enter(errand({ who: 'b' }))
  await soon()
  assert.equal(real().state().waiting, 2)
  a.die()
  await waiting
  assert.deepEqual([real().state().running, real().state().waiting], [1, 0])
})

test('who leaves the row is told why, and leaves nothing behind, also in the moment of his turn', async () => {
  const { join, real } = makeCrew({ concurrency: 1 })
  const { governor } = join()
  const turn = await governor.enter(errand())
  const end = new AbortController()
  const left = governor.enter(errand({ signal: end.signal }))
  await soon()
  end.abort(new DOMException('late', 'TimeoutError'))
  await assert.rejects(left, (error) => error instanceof Problem && error.code === 'upstream_timeout')
  const both = new AbortController()
  const crossing = governor.enter(errand({ signal: both.signal }))
  await soon()
  turn.leave(true)
  both.abort()
  await assert.rejects(crossing)
  await soon()
  assert.deepEqual([real().state().running, real().state().waiting], [0, 0])
  await assert.rejects(governor.enter(errand({ signal: AbortSignal.abort() })))
})

test('a refusal comes as the keeper meant it, with its time and its reason', async () => {
  const { join } = makeCrew()
  const { governor } = join()
  const turn = await governor.enter(errand())
  turn.leave(true)
  governor.quota.refused(7, performance.now())
  const refused = governor.enter(errand({ endsAt: performance.now() + 1_000 }))
  await assert.rejects(refused, (error) => {
    assert.ok(error instanceof Problem)
    assert.deepEqual([error.code, error.extras.retryAfterSec], ['upstream_rate_limited', 7])
    return true
  })
  assert.equal(governor.state().pausedSec, 7)
})

test('those who come to wait for the same call bring it into their own rows, and their deadline counts', async () => {
  const { join, real } = makeCrew({ concurrency: 1 })
  const { governor } = join()
  const turn = await governor.enter(errand())
  const listeners: ((other: Errand) => void)[] = []
  let endsAt = performance.now() + 5
  const flight: Errand = {
    ...errand({ who: 'a', patient: true, onJoin: (listener) => void listeners.push(listener) }),
    get endsAt() {
      return endsAt
    },
  }
  const waiting = governor.enter(flight)
  await new Promise((ok) => setImmediate(ok))
  endsAt = performance.now() + 5_000
  listeners.forEach((listener) => listener(errand({ who: 'b' })))
  await soon()
  turn.leave(true)
  await waiting
  assert.equal(real().state().running, 1)
})

test('what one worker hears of the quota all know, and it is known at once where it was heard', async () => {
  const { join } = makeCrew()
  const [a, b] = [join(), join()]
  await b.governor.enter(errand())
  await a.governor.enter(errand())
  a.governor.heard({ hour: { limit: 100, remaining: 40 } }, performance.now())
  assert.deepEqual(a.governor.state().hour, { limit: 100, remaining: 39 }, 'less the one that is under way elsewhere')
  a.governor.answered(300)
  await new Promise((ok) => setTimeout(ok, 130))
  assert.deepEqual(b.governor.state().hour, { limit: 100, remaining: 39 })
  assert.equal(b.governor.typicalMs(), 300)
})

test('rates are of all workers together, and keys without one ask nobody', async () => {
  const { join } = makeCrew({ perMinute: 3 })
  const [a, b] = [join(), join()]
  const asked = await Promise.all([a, b, a, b].map(({ rates }) => rates.take({ id: 'k', perMinute: null })))
  assert.equal(asked.filter((one) => one?.allowed).length, 3)
  assert.deepEqual(
    asked.map((one) => one?.remaining).toSorted((x = 0, y = 0) => x - y),
    [0, 0, 1, 2],
  )
  const before = a.messages()
  assert.equal(await a.rates.take({ id: 'k', perMinute: 0 }), undefined)
  assert.equal(a.messages(), before)
})

test('failures of a neighbourhood count together, and who comes later learns who is locked out', async () => {
  const { join } = makeCrew()
  const [a, b] = [join(), join()]
  for (const { lockOut } of [a, b, a]) lockOut.failed('192.0.2.7')
  assert.equal(a.lockOut.waitOf('192.0.2.9'), 0)
  await soon()
  const late = join()
  await soon()
  for (const { lockOut } of [a, b, late]) {
    assert.ok(lockOut.waitOf('192.0.2.9') >= 59)
    assert.equal(lockOut.waitOf('198.51.100.1'), 0)
  }
})

test('what is said within one turn of the event loop is one message', async () => {
  const { join } = makeCrew({ concurrency: 64 })
  const { governor, messages } = join()
  await Promise.all(Array.from({ length: 20 }, (_, i) => governor.enter(errand({ who: `${i}` }))))
  assert.equal(messages(), 1)
})

test('of several processes the worst and the latest is told of a connection, and quota once', () => {
  const calm = {
    ...({ breaker: 'closed', retryAfterSec: null, pausedSec: 0, running: 2, waiting: 1, keyRejected: false } as const),
    ...{ lastAnswerAt: 5, lastFailure: null, hour: { limit: 10, remaining: 4 } },
  }
  const ill = {
    ...({ ...calm, breaker: 'open', retryAfterSec: 3, keyRejected: true, lastAnswerAt: null } as const),
    ...{ lastFailure: { at: 4, code: 'upstream_timeout' }, hour: { limit: 10, remaining: 3 } },
  }
  const [merged, other] = mergeLines([
    [['a', calm]],
    [
      ['a', ill],
      ['b', calm],
    ],
  ])
  assert.deepEqual(merged?.state(), { ...ill, lastAnswerAt: 5 })
  assert.deepEqual([other?.id, other?.state()], ['b', calm])
})

test('what is shared with other replicas is asked by the keeper: their rates, and its part of the failures', async () => {
  const { keeper, join } = makeCrew({ failuresPerMinute: 4, perMinute: 60 })
  const asked: string[] = []
  const allowance = { limit: 60, remaining: 7, resetSec: 3, windowSec: 60, allowed: true }
  keeper.share({ rates: { take: async ({ id }) => (asked.push(id), allowance) }, replicas: () => 2 })
  const [a, b] = [join(), join()]
  assert.equal((await a.rates.take({ id: 'k', perMinute: null }))?.remaining, 7)
  assert.deepEqual(asked, ['k'])
  for (const { lockOut } of [a, b]) lockOut.failed('192.0.2.7')
  await soon()
  assert.deepEqual([a.lockOut.waitOf('192.0.2.7'), b.lockOut.waitOf('192.0.2.7')], [60, 60])
})
