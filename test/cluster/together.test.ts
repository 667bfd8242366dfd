// What two replicas promise together while Redis answers, and what without it: equal reads, and the rate of a key. Where a busy
// machine keeps one of them from hearing Redis in time, that one goes on alone; so each is tried until it is exact, and never
// beyond the bound for one that is alone.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { full, median } from '../custody/program.ts'
import { noRedis } from '../ground/redis.ts'
import { until } from '../ground/until.ts'
import { ask } from './asking.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { idsOf } from './load.ts'
import { noOwnPostgres } from './own-postgres.ts'

const skip = noRedis || noOwnPostgres

/** so many at once, in turn over the replicas */
const burst = ({ replicas }: Cluster, count: number, key: string, list: (n: number) => string) =>
  Promise.all(
    Array.from({ length: count }, (_, n) => ask(replicas[n % replicas.length]?.url + idsOf('wide', list(n)), key)),
  )

test('a hundred equal reads over both replicas are one call of the platform', { skip }, async (t) => {
  const cluster = await startCluster({ platform: { latencyMs: 150 } })
  t.after(cluster.close)
  const { key } = await cluster.issue()
  const counts: number[] = []
  for (let n = 0; n < (full ? 50 : 5); n++) {
    const before = cluster.platform.calls()
    const answers = await burst(cluster, 100, key, () => `equal${n}`)
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal(new Set(answers.map(({ json }) => json.items.join())).size, 1)
    counts.push(cluster.platform.calls() - before)
  }
  t.diagnostic(`platform calls of each hundred: ${counts.join(', ')}`)
  assert.equal(median(counts), 1)
  assert.ok(Math.max(...counts) <= cluster.replicas.length)
})

const limits = full ? [1, 10, 50, 100, 300, 600] : [10, 100]

/** twice as often as it may, over both replicas, in a few bursts */
async function admittedOf(cluster: Cluster, perMinute: number): Promise<number> {
  const { key } = await cluster.issue({ perMinute })
  let admitted = 0
  for (let left = 2 * perMinute + 4; left > 0; left -= 100) {
    const answers = await burst(cluster, Math.min(100, left), key, (n) => `rate${n % 5}`)
    for (const { status, json } of answers)
      if (status === 200) admitted++
      else assert.equal(json?.error?.code, 'key_rate_limited')
  }
  return admitted
}

test(
  'a key is let in exactly as often as it may, over both replicas; without Redis, no more often than that',
  { skip },
  async (t) => {
    const cluster = await startCluster()
    t.after(cluster.close)
    // each has to have heard of the other, or it takes the whole for its part
    await sleep(2_500)
    const told: string[] = []
    for (const limit of limits) {
      let admitted = 0
      for (let tries = 0; tries < 4 && admitted !== limit; tries++) {
        admitted = await admittedOf(cluster, limit)
        told.push(`${admitted} of ${limit}`)
        assert.ok(admitted >= limit && admitted <= 1.5 * limit, told.at(-1))
      }
      assert.equal(admitted, limit)
    }
    await cluster.redis?.kill()
    for (const limit of limits) {
      const admitted = await admittedOf(cluster, limit)
      told.push(`${admitted} of ${limit} without Redis`)
      assert.ok(admitted <= Math.max(limit, cluster.replicas.length) && admitted >= Math.floor(limit / 2), told.at(-1))
    }
    await cluster.redis?.start()
    // who asks finds out that it is back; what was counted without it stays counted here for a minute
    const { key } = await cluster.issue({ perMinute: 50 })
    await until(async () => (await burst(cluster, 2, key, (n) => `again${n}`)).every(({ status }) => status === 200))
    t.diagnostic(told.join(', '))
  },
)
