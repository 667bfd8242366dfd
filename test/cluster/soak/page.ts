// What a soak has shown, as the page of the operator's book that tells it.
import { arch, availableParallelism } from 'node:os'
import type { Checks } from '../checks.ts'
import type { Figures } from './figures.ts'
import type { Measure } from './sampler.ts'

const words: Readonly<Record<Measure, string>> = {
  rssMiB: 'resident memory, MiB',
  heapMiB: 'objects after a collection, MiB',
  codeMiB: 'compiled code, MiB',
  descriptors: 'descriptors',
  sockets: 'sockets',
  timers: 'timers',
  lagMs: 'event loop delay p99, ms',
}

export interface Soak {
  readonly minutes: number
  readonly seed: number
  readonly warmSec: number
  readonly figures: readonly Figures[]
  readonly checks: Checks
  readonly broken: readonly string[]
  readonly recoveredMs: readonly number[]
  readonly faults: readonly string[]
}

const shown = (value: number): string => (Number.isFinite(value) ? String(Number(value.toPrecision(3))) : '–')

const rowOf = ({ measure, replica, least, median, most, first, last, slopePerMin, withinPerMin, verdict }: Figures) =>
  `| ${words[measure]} | ${replica} | ${shown(median)} (${shown(least)} to ${shown(most)}) | ${shown(first)} → ${shown(last)} | ` +
  `${shown(slopePerMin)} ± ${shown(withinPerMin)} | ${verdict} |`

const tally = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(
      ([name, count]) =>
        `| ${name === '0' ? 'no answer: the wire was cut or frozen, or the replica stopped' : `\`${name}\``} | ${count} |`,
    )
    .join('\n')

export function pageOf({ minutes, seed, warmSec, figures, checks, broken, recoveredMs, faults }: Soak): string {
  const { together, apart } = checks.rates.worst()
  return `# The soak

Two replicas over one PostgreSQL and one Redis, for ${minutes} minutes: readers with rates that they reach and rates that they do
not, walks whose pages come from one replica after the other, keys and connections that are made, used and taken away again. Every ten
seconds something breaks for one to five seconds: a wire is cut, frozen or slow (replica and store, replica and Redis, replica and
platform, balancer and replica), PostgreSQL or Redis is killed, a replica stands still, its clock is set. Replicas are not killed:
one that begins anew would hide what grows.

    npm run soak -- --minutes ${minutes} --seed ${seed}

${availableParallelism()} cores (${arch()}) for everything, Node.js ${process.version}; ${faults.length - 1} faults. What replicas held, after ${Math.round(warmSec / 6) / 10} minutes to get warm:

![What two replicas held over ${minutes} minutes](soak.svg)

| What | Replica | Median (least to most) | First quarter → last | A minute more, 95 % | Verdict |
| --- | --- | --- | --- | --- | --- |
${figures.map(rowOf).join('\n')}

*Flat* says that the slope through the medians of the minutes may as well be none, or is below 2 % an hour.

What callers got:

| Answer | Times |
| --- | --- |
${tally(checks.answers.tally())}

${checks.takenAway.count()} keys and connections were taken away; the latest use that was still let in was sent ${shown(checks.takenAway.longestMs())} ms after the word.
${checks.walks.count()} pages of walks came, each with exactly its items. Of a key's limit at most ${shown(together * 100)} % was let in within a minute while replicas
counted together, ${shown(apart * 100)} % while they could not. After the last fault all served again within ${shown(Math.max(...recoveredMs))} ms. ${broken.length === 0 ? 'No promise was broken.' : `**${broken.length} breaches were seen**: ${broken.slice(0, 3).join('; ')}`}
`
}
