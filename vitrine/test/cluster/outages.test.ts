// Redis, and then PostgreSQL, is killed for a while under steady load over two replicas, and every answer is counted by the second.
// The full size (ENDURANCE=full: half a minute each) gives the figure, the short one runs with every commit.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { full } from '../stored-connections/program.ts'
import { noRedis } from '../../../base/test/redis.ts'
import { ask } from './request.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { endpointsOf, idsOf } from './load.ts'
import { noOwnPostgres } from './own-postgres.ts'
import { createSeconds, type Seconds } from './per-second.ts'

const [awayMs, calmMs] = full ? [30_000, 8_000] : [4_000, 1_500]

/** reads through every endpoint, with several keys, of shared lists and of lists of one key */
async function keepReading(cluster: Cluster, keys: readonly string[], seconds: Seconds, signal: AbortSignal) {
  let n = 0
  await Promise.all(
    endpointsOf(cluster).map(async ({ url }) => {
      while (!signal.aborted) {
        const list = n % 3 === 0 ? `own${n}` : `all${n % 7}`
        seconds.note('reads', await ask(url + idsOf('wide', list), keys[n++ % keys.length] ?? ''))
        await sleep(25)
      }
    }),
  )
}

async function keepManaging(cluster: Cluster, seconds: Seconds, signal: AbortSignal) {
  await Promise.all(
    cluster.replicas.map(async (replica) => {
      while (!signal.aborted) {
        seconds.note('changes', await cluster.act(replica, 'POST', '/keys', { name: 'k', connections: ['wide'] }))
        await sleep(300)
      }
    }),
  )
}

const only = (counts: ReadonlyMap<string, number>, ...names: string[]) =>
  assert.deepEqual(new Set(counts.keys()), new Set(names), JSON.stringify([...counts]))

test(
  'without Redis callers are unaffected; without PostgreSQL reads continue and changes are rejected; both are used on return',
  { skip: noRedis || noOwnPostgres, timeout: 180_000 },
  async (t) => {
    const cluster = await startCluster()
    t.after(cluster.close)
    const { postgres, redis } = cluster
    const keys = await Promise.all(
      [300_000, 600_000, 0].map(async (perMinute) => (await cluster.issue({ perMinute })).key),
    )
    const [seconds, over] = [createSeconds(), new AbortController()]
    const load = Promise.all([
      keepReading(cluster, keys, seconds, over.signal),
      keepManaging(cluster, seconds, over.signal),
    ])
    const during = async (words: string, forMs: number) => {
      seconds.mark(words)
      await sleep(forMs)
    }
    await during('calm', calmMs)
    await redis?.kill()
    await during('Redis is away', awayMs)
    await redis?.start()
    await during('Redis is back', calmMs)
    await during('soon', 500)
    await postgres.kill()
    await during('PostgreSQL is away', awayMs / 2)
    await during('still', awayMs / 2)
    await postgres.start()
    await during('PostgreSQL is back', 3_000)
    await during('all is well', calmMs)
    seconds.mark('end')
    over.abort()
    await load
    t.diagnostic(`\n${seconds.table()}`)
    only(seconds.between('reads', 'calm', 'soon'), '200')
    only(seconds.between('reads', 'all is well', 'end'), '200')
    const amid = seconds.between('reads', 'soon', 'all is well')
    const [good = 0, others = 0] = [amid.get('200'), amid.get('503 store_unavailable')]
    t.diagnostic(`reads from the end of PostgreSQL to its return: ${good} answered, ${others} refused`)
    assert.equal(
      good + others,
      [...amid.values()].reduce((sum, count) => sum + count, 0),
      JSON.stringify([...amid]),
    )
    // on a busy machine Redis sometimes answers too late, and then there is no mark
    if (full) assert.ok(100 * others <= good)
    else assert.ok(4 * good > others)
    only(seconds.between('changes', 'calm', 'soon'), '201')
    only(seconds.between('changes', 'PostgreSQL is away', 'still'), '503 store_unavailable')
    only(seconds.between('changes', 'all is well', 'end'), '201')
  },
)
