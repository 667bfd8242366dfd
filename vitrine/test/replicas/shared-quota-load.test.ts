import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { noRedis } from '../../../base/test/redis.ts'
import { createRollingPlatform, type RollingPlatform } from '../support/rolling-platform.ts'
import { pick, within } from './schedulers.ts'
import { type TestQuota, sharedQuotas, newId } from './shared-quotas.ts'

const skip = noRedis

/** a caller that repeats reservations, with random delays */
async function useUp(
  sharedQuota: TestQuota,
  platform: RollingPlatform,
  endsAt: number,
  chances = { vanish: 0, end: 0, release: 0 },
) {
  while (performance.now() < endsAt) {
    const call = newId()
    const standing = await sharedQuota.reserve(call, false)
    if (!standing) {
      await within(10)
      continue
    }
    if (!standing.granted) {
      await sleep(Math.min(standing.waitMs, 50))
      continue
    }
    const dice = Math.random()
    if (dice < chances.release) {
      await sharedQuota.release(call)
      continue
    }
    await within(20)
    if (dice < chances.release + chances.vanish / 2) continue
    const { rates, isRefusal } = platform.arrive()
    if (dice < chances.release + chances.vanish) continue
    await within(20)
    if (dice < chances.release + chances.vanish + chances.end) {
      void sharedQuota.ended(call)
      continue
    }
    void sharedQuota.heard(call, rates, isRefusal)
    if (isRefusal) void sharedQuota.rest(undefined)
  }
}

const none = { vanish: 0, end: 0, release: 0 }
const some = { vanish: 0.05, end: 0.1, release: 0.1 }
/** how many calls may be granted; a call of a dead replica holds its place for a second */
const hourly = { limit: 30, hourMs: 1_500 }
const minutely = { limit: 300, perMinute: 10, hourMs: 30_000 }
const fuzzMs = process.env['ENDURANCE'] === 'full' ? 120_000 : 3_000

test('a platform never sees more calls than it granted', { skip, timeout: 180_000 }, async (t) => {
  const scenes = [
    ['called', none, hourly],
    ['called by replicas that die, leave or never call', some, hourly],
    ['called, with a minute', none, minutely],
    ['called by replicas that die, leave or never call, with a minute', some, minutely],
  ] as const
  const act = async ([name, chances, options]: (typeof scenes)[number]) => {
    const all = sharedQuotas(t, { replicas: 3, hourMs: options.hourMs })
    const platform = createRollingPlatform(options)
    const endsAt = performance.now() + fuzzMs
    await Promise.all(Array.from({ length: 8 }, () => useUp(pick(all), platform, endsAt, chances)))
    t.diagnostic(`${name}: ${platform.taken()} calls, ${platform.over()} too many, ${platform.left()} left`)
    assert.equal(platform.over(), 0, name)
    assert.ok(platform.taken() >= (chances === none ? 35 : 12), `${name}: ${platform.taken()} calls`)
  }
  await Promise.all(scenes.map(act))
})
