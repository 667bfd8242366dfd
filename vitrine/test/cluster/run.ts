// The long version of cluster.test.ts: faults one after the other and two at a time, with a report line each minute.
// node test/cluster/run.ts [--minutes 30] [--replicas 2] [--seed N]; exit status 1 if a promise was broken.
import { parseArgs } from 'node:util'
import type { Chance } from '../secrets/random.ts'
import type { Cluster } from './cluster.ts'
import { type Episode, type Outcome, runCourse } from './cluster-run.ts'
import { allFaults, type Fault } from './faults.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    replicas: { type: 'string', default: '2' },
    seed: { type: 'string', default: process.env['CLUSTER_SEED'] ?? String(Math.floor(Math.random() * 1e9)) },
  },
})
const [minutes, replicas, seed] = [values.minutes, values.replicas, values.seed].map(Number) as [number, number, number]
const say = (line: string) => process.stdout.write(`${line}\n`)

/** one fault, or two that do not affect each other */
function draw(cluster: Cluster, chance: Chance): Fault[] {
  const first = chance.pick(allFaults(cluster, chance))
  const second = chance.pick(allFaults(cluster, chance))
  return chance.below(3) > 0 || first.subject === second.subject ? [first] : [first, second]
}

function* episodes(cluster: Cluster, chance: Chance): Iterable<Episode> {
  const begunAt = performance.now()
  while (performance.now() - begunAt < minutes * 60_000)
    yield { faults: draw(cluster, chance), forMs: 300 + chance.below(6_000), calmMs: 300 + chance.below(2_500) }
}

const shown = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([name, count]) => `${count} x ${name}`).join(', ')

function tell({ checks, recoveredMs, episodes: count }: Outcome) {
  const { together, apart } = checks.rates.worst()
  say(`${count} faults or pairs of them; answers: ${shown(checks.answers.tally())}`)
  say(`operators: ${shown(checks.acts.tally())}`)
  say(
    `${checks.takenAway.count()} taken away, used for ${checks.takenAway.longestMs().toFixed(0)} ms at most; ${checks.walks.count()} pages of walks; ` +
      `of a limit at most ${together.toFixed(3)}, and ${apart.toFixed(3)} while replicas counted apart`,
  )
  say(
    `served again after ${recoveredMs.map((ms) => ms.toFixed(0)).join(', ')} ms; ${checks.secrets.bytes()} bytes searched for secrets`,
  )
}

say(`${replicas} replicas, ${minutes} minutes; --seed ${seed} repeats it`)
const outcome = await runCourse({ seed, replicas, episodes, say })
tell(outcome)
for (const { promise, faults } of outcome.report) {
  say(`${faults.length === 0 ? 'held  ' : 'BROKEN'} ${promise}`)
  for (const fault of faults) say(`  ${fault}`)
}
process.exit(outcome.report.some(({ faults }) => faults.length > 0) ? 1 : 0)
