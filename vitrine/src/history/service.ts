// What the whole service did in the last hour: outcomes, latencies, and the most requested operations.
import { bins, binOf, quantile } from './latencies.ts'
import { minutesKept, Minutes } from './minutes.ts'

export const outcomes = ['ok', 'clientError', 'limited', 'upstream', 'failed', 'left'] as const
export type RequestOutcome = (typeof outcomes)[number]

const [asked, inVain, firstBin] = [0, 1, 2]
const mostListed = 20

type Quantiles = (number | null)[]
type Counts = number[]

export type ServiceHour = ReturnType<ServiceCounters['hour']>

const quantiles = (share: number, table: Minutes, last: number): Quantiles =>
  Array.from({ length: minutesKept }, (_, i) => quantile(share, (bin) => table.at(last - minutesKept + 1 + i, bin)))

function binsOf(table: Minutes, last: number): (bin: number) => number {
  const sums = Array.from({ length: bins }, (_, bin) => table.sum(last, firstBin + bin))
  return (bin) => sums[bin] ?? 0
}

export class ServiceCounters {
  readonly #requests = new Minutes(outcomes.length)
  readonly #latencies = new Minutes(bins)
  readonly #calls = new Minutes(2)
  readonly #callLatencies = new Minutes(bins)
  readonly #operations = new Map<string, Minutes>()
  readonly #known: ReadonlySet<string>

  constructor(known: readonly string[]) {
    this.#known = new Set(known)
  }

  request(minute: number, outcome: RequestOutcome, operation: string, ms: number) {
    this.#requests.add(minute, outcomes.indexOf(outcome))
    // early refusals take no time, and would distort the latencies
    const table = this.#tableOf(operation)
    if (!table) return
    table.add(minute, asked)
    if (outcome === 'upstream' || outcome === 'failed') table.add(minute, inVain)
    // the time until a caller left is no latency
    if (outcome === 'left') return
    this.#latencies.add(minute, binOf(ms))
    table.add(minute, firstBin + binOf(ms))
  }

  call(minute: number, isFailed: boolean, ms: number) {
    this.#calls.add(minute, isFailed ? 1 : 0)
    this.#callLatencies.add(minute, binOf(ms))
  }

  hour(last: number) {
    const counts = outcomes.map((name, column) => [name, this.#requests.hour(last, column)] as const)
    const [latencies, calls, callLatencies] = [this.#latencies, this.#calls, this.#callLatencies]
    const [p50, p95] = [quantiles(0.5, latencies, last), quantiles(0.95, latencies, last)]
    return {
      requests: Object.fromEntries(counts) as Record<RequestOutcome, Counts>,
      latencyMs: { p50, p95, p99: quantiles(0.99, latencies, last) },
      platform: {
        ok: calls.hour(last, 0),
        failed: calls.hour(last, 1),
        p50: quantiles(0.5, callLatencies, last),
        p95: quantiles(0.95, callLatencies, last),
      },
      operations: this.#mostAsked(last),
    }
  }

  #tableOf(operation: string): Minutes | undefined {
    const found = this.#operations.get(operation)
    if (found || !this.#known.has(operation)) return found
    const table = new Minutes(firstBin + bins)
    this.#operations.set(operation, table)
    return table
  }

  #mostAsked(last: number) {
    return [...this.#operations]
      .map(([operation, table]) => ({ operation, table, requests: table.sum(last, asked) }))
      .filter(({ requests }) => requests > 0)
      .sort((a, b) => b.requests - a.requests || (a.operation < b.operation ? -1 : 1))
      .slice(0, mostListed)
      .map(({ operation, table, requests }) => ({
        operation,
        requests,
        errors: table.sum(last, inVain),
        p95: quantile(0.95, binsOf(table, last)),
      }))
  }
}
