// Two replicas over one PostgreSQL and one Redis, while each link and each program fails in turn. The seed of the order is
// printed: CLUSTER_SEED=… repeats it. The long version: node test/cluster/run.ts --minutes 30.
import assert from 'node:assert/strict'
import test from 'node:test'
import { full } from '../stored-connections/program.ts'
import { noRedis } from '../../../base/test/redis.ts'
import { runCourse } from './cluster-run.ts'
import { shortCourse } from './faults.ts'
import { noOwnPostgres } from './own-postgres.ts'

const seed = Number(process.env['CLUSTER_SEED'] ?? Math.floor(Math.random() * 1e9))
const rounds = full ? 10 : 1

test(
  'every promise holds while replicas, store, Redis, platform and balancer fail at random',
  { skip: noRedis || noOwnPostgres, timeout: rounds * 90_000 },
  async (t) => {
    t.diagnostic(`CLUSTER_SEED=${seed}`)
    const { checks, report, told, recoveredMs } = await runCourse({
      seed,
      *episodes(cluster, chance) {
        for (let round = 0; round < rounds; round++)
          for (const fault of shortCourse(cluster, chance))
            yield { faults: [fault], forMs: 1_200 + chance.below(600), calmMs: 500 }
      },
    })
    const tally = (counts: ReadonlyMap<string, number>) => [...counts].map(([name, n]) => `${name}: ${n}`).join(', ')
    t.diagnostic(told.join('; '))
    t.diagnostic(`answers ${tally(checks.answers.tally())}; of operators ${tally(checks.acts.tally())}`)
    const { together, apart } = checks.rates.worst()
    t.diagnostic(
      `${checks.takenAway.count()} taken away, used for ${checks.takenAway.longestMs().toFixed(0)} ms at most; ` +
        `${checks.walks.count()} pages of walks; of a limit at most ${together.toFixed(2)}, and ${apart.toFixed(2)} apart; ` +
        `served again after ${recoveredMs.map((ms) => ms.toFixed(0)).join(', ')} ms; ${checks.secrets.bytes()} bytes searched`,
    )
    for (const { promise, faults } of report) assert.deepEqual(faults, [], `CLUSTER_SEED=${seed}: ${promise}`)
    // a run without served answers, paging and removals proves nothing
    assert.ok((checks.answers.tally().get('200') ?? 0) > 300)
    assert.ok(checks.walks.count() > 50 && checks.takenAway.count() >= 2 && checks.secrets.bytes() > 10_000)
  },
)
