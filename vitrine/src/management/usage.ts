// The last day or week by the hour, of all replicas, from the sums in the store. An hour without a sum is not known: null.
import { isoOf } from '../../../base/core/moment.ts'
import { addSums, type HourSums, noSums, shareOf } from '../history/hour-sums.ts'
import { hourMs } from '../history/hours.ts'
import { outcomes } from '../history/service.ts'

export const ranges = { '24h': 24, '7d': 7 * 24 } as const
export type UsageRange = keyof typeof ranges

const mostListed = 20

type Hours = readonly (HourSums | undefined)[]

const countOf = (hours: Hours, find: (sums: HourSums) => number | undefined): (number | null)[] =>
  hours.map((sums) => (sums ? (find(sums) ?? 0) : null))

const quantilesOf = (hours: Hours, share: number, name: 'latencies' | 'callLatencies'): (number | null)[] =>
  hours.map((sums) => (sums ? shareOf(share, sums[name]) : null))

function mostUsed(hours: Hours) {
  const { operations } = hours.reduce<HourSums>((all, sums) => (sums ? addSums(all, sums) : all), noSums)
  return Object.entries(operations)
    .map(([operation, [requests = 0, errors = 0]]) => ({ operation, requests, errors }))
    .sort((a, b) => b.requests - a.requests || (a.operation < b.operation ? -1 : 1))
    .slice(0, mostListed)
}

/** `last`: the hour that is under way */
export function usageOf(sums: ReadonlyMap<number, HourSums>, last: number, range: UsageRange) {
  const count = ranges[range]
  const numbers = Array.from({ length: count }, (_, i) => last - count + 1 + i)
  const hours = numbers.map((hour) => sums.get(hour))
  const requests = outcomes.map((name, at) => [name, countOf(hours, ({ requests: all }) => all[at])] as const)
  const times = (share: number) => quantilesOf(hours, share, 'latencies')
  return {
    range,
    hours: numbers.map((hour) => isoOf(hour * hourMs)),
    requests: Object.fromEntries(requests) as Record<(typeof outcomes)[number], (number | null)[]>,
    latencyMs: { p50: times(0.5), p95: times(0.95), p99: times(0.99) },
    platform: {
      ok: countOf(hours, ({ calls }) => calls[0]),
      failed: countOf(hours, ({ calls }) => calls[1]),
      p50: quantilesOf(hours, 0.5, 'callLatencies'),
      p95: quantilesOf(hours, 0.95, 'callLatencies'),
    },
    operations: mostUsed(hours),
  }
}
