// What a service did in an hour, as numbers that can be added: over replicas, restarts and hours.
import { bins, quantile } from './latencies.ts'
import { outcomes } from './service.ts'

/** how many latencies fell into each bin that has any */
export type BinCounts = Readonly<Record<string, number>>

export interface HourSums {
  /** by outcome, in the order of `outcomes` */
  readonly requests: readonly number[]
  readonly latencies: BinCounts
  /** answered and failed */
  readonly calls: readonly number[]
  readonly callLatencies: BinCounts
  /** requests, and of these those that the platform or the service failed */
  readonly operations: Readonly<Record<string, readonly number[]>>
}

const zeros = (count: number): number[] => Array.from({ length: count }, () => 0)

export const noSums: HourSums = {
  requests: zeros(outcomes.length),
  latencies: {},
  calls: zeros(2),
  callLatencies: {},
  operations: {},
}

const addLists = (a: readonly number[], b: readonly number[]): number[] => a.map((value, i) => value + (b[i] ?? 0))

function addBins(a: BinCounts, b: BinCounts): BinCounts {
  const sum: Record<string, number> = { ...a }
  for (const [bin, count] of Object.entries(b)) sum[bin] = (sum[bin] ?? 0) + count
  return sum
}

function addOperations(a: HourSums['operations'], b: HourSums['operations']): HourSums['operations'] {
  const sum: Record<string, readonly number[]> = { ...a }
  for (const [operation, counts] of Object.entries(b)) sum[operation] = addLists(sum[operation] ?? [0, 0], counts)
  return sum
}

export const addSums = (a: HourSums, b: HourSums): HourSums => ({
  requests: addLists(a.requests, b.requests),
  latencies: addBins(a.latencies, b.latencies),
  calls: addLists(a.calls, b.calls),
  callLatencies: addBins(a.callLatencies, b.callLatencies),
  operations: addOperations(a.operations, b.operations),
})

export const shareOf = (share: number, counts: BinCounts): number | null => quantile(share, (bin) => counts[bin] ?? 0)

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
const isCounts = (value: unknown, length: number): value is number[] =>
  Array.isArray(value) && value.length === length && value.every(isCount)
const isBins = (value: unknown): value is BinCounts =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).every(([bin, count]) => /^\d+$/.test(bin) && Number(bin) < bins && isCount(count))
const areOperations = (value: unknown): value is HourSums['operations'] =>
  typeof value === 'object' && value !== null && Object.values(value).every((counts) => isCounts(counts, 2))

/** undefined: it is not one, and its hour counts as unknown */
export function readSums(text: string): HourSums | undefined {
  try {
    const { requests, latencies, calls, callLatencies, operations } = JSON.parse(text) as Partial<
      Record<keyof HourSums, unknown>
    >
    if (!isCounts(requests, outcomes.length) || !isCounts(calls, 2)) return undefined
    if (!isBins(latencies) || !isBins(callLatencies) || !areOperations(operations)) return undefined
    return { requests, latencies, calls, callLatencies, operations }
  } catch {
    return undefined
  }
}
