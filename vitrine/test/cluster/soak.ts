// The soak test: two replicas under steady load for half an hour, with a fault every ten seconds, while their memory is measured.
// node test/cluster/soak.ts [--minutes 30] [--seed N] [--out docs/operations]; writes soak.svg and soak.md there, and every sample
// to bench/runs. Replicas are not killed, since a restart would hide a leak; cluster.test.ts kills them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Chance } from '../secrets/random.ts'
import type { Cluster } from './cluster.ts'
import { type Episode, runCourse } from './cluster-run.ts'
import { gentleFaults } from './faults.ts'
import { figuresOf } from './soak/figures.ts'
import { pageOf } from './soak/page.ts'
import { drawSoak } from './soak/picture.ts'
import { measures, type Sample, startSampler } from './soak/sampler.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    out: { type: 'string', default: 'docs/operations' },
  },
})
const [minutes, seed] = [Number(values.minutes), Number(values.seed)]
const [everyMs, faultEveryMs] = [5_000, 10_000]
/** by then memory that fills slowly, such as the caches, is full */
const warmSec = Math.min(300, minutes * 12)
const faults: number[] = []
const begunAt = performance.now()
const sec = () => (performance.now() - begunAt) / 1_000

function* episodes(cluster: Cluster, chance: Chance): Iterable<Episode> {
  const endsAt = performance.now() + minutes * 60_000
  while (performance.now() < endsAt) {
    const beganAt = performance.now()
    faults.push(sec() - loadBegunSec)
    const forMs = 1_000 + chance.below(3_500)
    // a repair takes time as well; the next fault begins ten seconds after this one began
    yield {
      faults: [chance.pick(gentleFaults(cluster, chance))],
      forMs,
      calmMs: () => beganAt + faultEveryMs - performance.now(),
    }
  }
}

const statuses = new Map<number, number>()
let sampler: ReturnType<typeof startSampler> | undefined
let loadBegunSec = 0

function progress() {
  if (!process.stderr.isTTY) return
  const last = (name: string) => sampler?.samples.findLast(({ replica }) => replica === name)?.values
  const shown = ['a', 'b'].map((name) => {
    const { rssMiB = 0, sockets = 0, lagMs = 0 } = last(name) ?? {}
    return `${name} ${rssMiB.toFixed(0)} MiB ${sockets} sockets ${lagMs.toFixed(0)} ms`
  })
  const done = [...statuses].map(([status, count]) => `${status}: ${count}`).join(' ')
  process.stderr.write(
    `\r\u001B[K${((sec() - loadBegunSec) / 60).toFixed(1)} of ${minutes} min  ${shown.join('  ')}  ${done}`,
  )
}

const csvOf = (samples: readonly Sample[]): string =>
  [
    ['replica', 'seconds', ...measures].join(','),
    ...samples.map(({ replica, at, values: told }) =>
      [replica, at.toFixed(1), ...measures.map((measure) => told[measure]?.toFixed(2) ?? '')].join(','),
    ),
  ].join('\n')

const ticking = setInterval(progress, 500)
const { checks, report, told, recoveredMs } = await runCourse({
  seed,
  episodes,
  goesOn: true,
  preloads: [join(import.meta.dirname, 'soak/process-stats.mjs')],
  say: (line) => void (process.stderr.isTTY || process.stderr.write(`${line}\n`)),
  seen: (_, { status }) => statuses.set(status, (statuses.get(status) ?? 0) + 1),
  begun(cluster) {
    loadBegunSec = sec()
    sampler = startSampler(cluster, everyMs)
  },
  ended: () => sampler?.stop(),
})
clearInterval(ticking)
const samples = sampler?.samples ?? []
const replicas = ['a', 'b']
const figures = measures.flatMap((measure) => replicas.map((replica) => figuresOf(samples, measure, replica, warmSec)))
const title = `Two replicas, ${minutes} minutes of load, a fault every ten seconds`
mkdirSync(values.out, { recursive: true })
mkdirSync('bench/runs', { recursive: true })
writeFileSync('bench/runs/soak.csv', `${csvOf(samples)}\n`)
writeFileSync(join(values.out, 'soak.svg'), drawSoak({ samples, measures, replicas, faults, warmSec, title }))
const broken = report.flatMap(({ promise, faults: of }) => of.map((fault) => `${promise}: ${fault}`))
const page = pageOf({ minutes, seed, warmSec, figures, checks, broken, recoveredMs, faults: told })
writeFileSync(join(values.out, 'soak.md'), page)
process.stdout.write(`\n${page}`)
for (const fault of broken) process.stdout.write(`BROKEN: ${fault}\n`)
process.exit(broken.length > 0 || figures.some(({ verdict }) => verdict === 'grows') ? 1 : 0)
