// The results of a soak test, as a page of docs/operations.
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
        `| ${name === '0' ? 'no response: the link was cut or frozen, or the replica was paused' : `\`${name}\``} | ${count} |`,
    )
    .join('\n')

export function pageOf({ minutes, seed, warmSec, figures, checks, broken, recoveredMs, faults }: Soak): string {
  const { together, apart } = checks.rates.worst()
  return `# Soak test

Two replicas over one PostgreSQL and one Redis, for ${minutes} minutes. Callers read below and above
their rate limits, page through lists across both replicas, and use keys and connections that are created and revoked. Every ten seconds
there is a fault of one to five seconds: a network link is cut, frozen or slow (replica to store, to Redis, to the platform, balancer to
replica), PostgreSQL or Redis is killed, a replica is paused, or its clock is changed. Replicas are not killed, because a restart would
hide leaks.

    npm run soak -- --minutes ${minutes} --seed ${seed}

${availableParallelism()} cores (${arch()}) for everything, Node.js ${process.version}; ${faults.length - 1} faults. Resources of the replicas, after ${Math.round(warmSec / 6) / 10} minutes of warm-up:

![Resources of two replicas over ${minutes} minutes](soak.svg)

| Resource | Replica | Median (minimum to maximum) | First quarter → last | Change per minute, 95 % | Result |
| --- | --- | --- | --- | --- | --- |
${figures.map(rowOf).join('\n')}

*Flat*: the slope of the medians per minute is not significant, or below 2 % an hour.

Responses to callers:

| Response | Count |
| --- | --- |
${tally(checks.answers.tally())}

- ${checks.takenAway.count()} keys and connections were revoked; the last accepted use was sent ${shown(checks.takenAway.longestMs())} ms after the revocation.
- ${checks.walks.count()} pages of lists were read, each with exactly its items.
- At most ${shown(together * 100)} % of a key's rate limit was accepted within a minute while replicas counted together, ${shown(apart * 100)} % while they could not.
- After the last fault all replicas served again within ${shown(Math.max(...recoveredMs))} ms.
- ${broken.length === 0 ? 'No guarantee was violated.' : `**${broken.length} violations**: ${broken.slice(0, 3).join('; ')}`}
`
}
