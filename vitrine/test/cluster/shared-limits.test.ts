// What two replicas guarantee together with and without Redis: shared reads, and the rate of a key. If a busy machine makes Redis
// too slow for one of them, that one counts alone; so each limit is tried until it is exact, and must never exceed the bound for
// separate counting.
import assert from 'node:assert/strict'
import test from 'node:test'
import { full, median } from '../stored-connections/program.ts'
import { noRedis } from '../../../base/test/redis.ts'
import { until } from '../../../base/test/until.ts'
import { ask } from './request.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { idsOf } from './load.ts'
import { noOwnPostgres } from './own-postgres.ts'

const skip = noRedis || noOwnPostgres

/** this many requests at once, sent to the replicas in turn */
const burst = ({ replicas }: Cluster, count: number, key: string, list: (n: number) => string) =>
  Promise.all(
    Array.from({ length: count }, (_, n) => ask(replicas[n % replicas.length]?.url + idsOf('wide', list(n)), key)),
  )

test('a hundred equal reads over both replicas are one platform call', { skip }, async (t) => {
  // less than the 1.4 s for which the calling replica may stand still (docs/decisions/replica-answers.md)
  const latencyMs = 1_000
  const cluster = await startCluster({ platform: { latencyMs } })
  t.after(cluster.close)
  const { key } = await cluster.issue()
  const counts: number[] = []
  const rounds = full ? 50 : 5
  const timesDown = () => cluster.replicas.map((one) => one.log().split('"redis_away"').length).join()
  // a round in which Redis was too slow for a replica does not count: then each replica calls for itself
  for (let n = 0; counts.length < rounds && n < 4 * rounds; n++) {
    const downBefore = timesDown()
    cluster.platform.takeTimes()
    const answers = await burst(cluster, 100, key, () => `equal${n}`)
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal(new Set(answers.map(({ json }) => json.items.join())).size, 1)
    const times = cluster.platform.takeTimes()
    // reads that a busy machine sends only when the first call has its answer are no longer equal to it
    const atOnce = times.filter((at) => at - (times[0] ?? 0) < latencyMs)
    assert.ok(atOnce.length <= cluster.replicas.length, `${atOnce.length} calls`)
    if (timesDown() === downBefore) counts.push(atOnce.length)
  }
  t.diagnostic(`platform calls of each hundred: ${counts.join(', ')}`)
  assert.equal(median(counts), 1)
})

const limits = full ? [1, 10, 50, 100, 300, 600] : [10, 100]

/** sends twice as many requests as the rate permits, over both replicas, in a few bursts */
async function admittedOf(cluster: Cluster, perMinute: number): Promise<number> {
  const { key } = await cluster.issue({ perMinute })
  let admitted = 0
  for (let left = 2 * perMinute + 4; left > 0; left -= 100) {
    const answers = await burst(cluster, Math.min(100, left), key, (n) => `rate${n % 5}`)
    for (const { status, json } of answers) {
      const code = json?.error?.code
      // the key's rate is checked first: what the busy platform key then refuses was admitted
      if (status === 200 || code === 'upstream_rate_limited') admitted++
      else assert.equal(code, 'key_rate_limited')
    }
  }
  return admitted
}

test(
  'a key gets exactly its rate limit over both replicas, and no more than that without Redis',
  { skip },
  async (t) => {
    const cluster = await startCluster()
    t.after(cluster.close)
    // a replica that does not know the other one yet takes the whole rate as its part
    for (const one of cluster.replicas)
      await until(async () => (await cluster.act(one, 'GET', '/status')).json?.replicas === cluster.replicas.length)
    const lines: string[] = []
    for (const limit of limits) {
      let admitted = 0
      for (let tries = 0; tries < 4 && admitted !== limit; tries++) {
        admitted = await admittedOf(cluster, limit)
        lines.push(`${admitted} of ${limit}`)
        assert.ok(admitted >= limit && admitted <= 1.5 * limit, lines.at(-1))
      }
      assert.equal(admitted, limit)
    }
    await cluster.redis?.kill()
    for (const limit of limits) {
      const admitted = await admittedOf(cluster, limit)
      lines.push(`${admitted} of ${limit} without Redis`)
      assert.ok(admitted <= Math.max(limit, cluster.replicas.length) && admitted >= Math.floor(limit / 2), lines.at(-1))
    }
    await cluster.redis?.start()
    // a request finds that Redis is back; what was counted without it still counts for a minute
    const { key } = await cluster.issue({ perMinute: 50 })
    await until(async () => (await burst(cluster, 2, key, (n) => `again${n}`)).every(({ status }) => status === 200))
    t.diagnostic(lines.join(', '))
  },
)
