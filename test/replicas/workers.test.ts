// The keepers of two services, each with two workers, over one ledger.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createRates } from '../../src/keys/rate.ts'
import type { Governor } from '../../src/platform/governor.ts'
import { createAskedGovernors } from '../../src/workers/asked-governor.ts'
import { createKeeper } from '../../src/workers/keeper.ts'
import { gather, hear, type ToKeeper, type ToWorker } from '../../src/workers/messages.ts'
import { noRedis, redisUrl } from '../ground/redis.ts'
import { createRollingPlatform } from '../ground/rolling-platform.ts'
import { errand } from '../platform/errands.ts'
import { createReplicas, keepCalling, pick, steady, sumOf } from './callers.ts'

const over = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** a keeper whose governors are these, and workers that ask it as if they were processes */
function startService(governor: Governor, count = 2): Governor[] {
  const keeper = createKeeper({ concurrency: 6, perMinute: 0, failuresPerMinute: 0, shed: () => {} })
  keeper.share({ rates: createRates(0), replicas: () => 1, governorOf: () => governor })
  return Array.from({ length: count }, () => {
    const hearing = {}
    const client = keeper.enter(gather<ToWorker>((messages) => hear(over(messages), hearing)))
    const governors = createAskedGovernors(gather<ToKeeper>((messages) => hear(over(messages), client.hearing)))
    Object.assign(hearing, governors.hearing)
    return governors.of('key')
  })
}

test('workers of two services pass no quota together', { skip: noRedis, timeout: 30_000 }, async (t) => {
  const platform = createRollingPlatform({ limit: 200 })
  const start = createReplicas(t, { replicas: () => 2 })
  const replicas = [await start(redisUrl), await start(redisUrl)]
  const workers = replicas.flatMap(({ governor }) => startService(governor))
  const endsAt = steady() + 2_000
  const calling = { platform, leaves: 0.02 }
  const all = Array.from({ length: 12 }, (_, n) =>
    keepCalling(() => pick(workers), endsAt, { ...calling, who: n % 2 === 0 ? 'a' : 'b' }),
  )
  const outcomes = sumOf(await Promise.all(all))
  t.diagnostic(JSON.stringify({ outcomes, left: platform.left(), over: platform.over() }))
  assert.equal(platform.over(), 0)
  assert.ok((outcomes['made'] ?? 0) > 150)
})

test('a call that is made once more in a turn is asked for, too', { skip: noRedis, timeout: 30_000 }, async (t) => {
  const start = createReplicas(t, { replicas: () => 1, most: 1, holdMs: 300 })
  const { governor } = await start(redisUrl)
  const [worker] = startService(governor, 1)
  assert.ok(worker)
  const once = async (remaining: number) => {
    const turn = await worker.enter(errand({ who: 'a' }))
    worker.heard({ hour: { limit: 10, remaining } }, steady(), { turn, isRefusal: false })
    const isAllowed = await worker.quota.spend('a', turn)
    turn.leave(true)
    return isAllowed
  }
  assert.equal(await once(4), true)
  assert.equal(await once(0), false)
})
