// What the service as a whole did in the last hour: how requests ended, how long they and the platform took, and what was
// asked for most.
import { bins, binOf, quantile } from './latencies.ts'
import { kept, Minutes } from './minutes.ts'

export const outcomes = ['ok', 'clientError', 'limited', 'upstream', 'failed', 'left'] as const
export type Outcome = (typeof outcomes)[number]

/** how often, how often in vain, and behind that the bins */
const [asked, inVain, firstBin] = [0, 1, 2]
const told = 20

export interface OperationHour {
  readonly operation: string
  readonly requests: number
  readonly errors: number
  readonly p95: number | null
}

type Quantiles = (number | null)[]
type Counts = number[]

export interface ServiceHour {
  readonly requests: Readonly<Record<Outcome, Counts>>
  readonly latencyMs: { readonly p50: Quantiles; readonly p95: Quantiles; readonly p99: Quantiles }
  readonly platform: { readonly ok: Counts; readonly failed: Counts; readonly p50: Quantiles; readonly p95: Quantiles }
  readonly operations: readonly OperationHour[]
}

/** what was taken of each table, by name */
export type ServiceTally = readonly (readonly [table: string, taken: number[]])[]

const quantiles = (share: number, table: Minutes, last: number): Quantiles =>
  Array.from({ length: kept }, (_, i) => quantile(share, (bin) => table.at(last - kept + 1 + i, bin)))

function binsOf(table: Minutes, last: number): (bin: number) => number {
  const sums = Array.from({ length: bins }, (_, bin) => table.sum(last, firstBin + bin))
  return (bin) => sums[bin] ?? 0
}

export class Service {
  readonly #requests = new Minutes(outcomes.length)
  readonly #latencies = new Minutes(bins)
  /** those that came to an answer, and those that failed */
  readonly #calls = new Minutes(2)
  readonly #callLatencies = new Minutes(bins)
  readonly #operations = new Map<string, Minutes>()
  readonly #known: ReadonlySet<string>

  constructor(known: readonly string[]) {
    this.#known = new Set(known)
  }

  request(minute: number, outcome: Outcome, operation: string, ms: number) {
    this.#requests.add(minute, outcomes.indexOf(outcome))
    // what is refused at the threshold takes no time, and would hide how long the rest takes
    const table = this.#tableOf(operation)
    if (!table) return
    table.add(minute, asked)
    if (outcome === 'upstream' || outcome === 'failed') table.add(minute, inVain)
    // how long somebody waited who left is not how long the answer took
    if (outcome === 'left') return
    this.#latencies.add(minute, binOf(ms))
    table.add(minute, firstBin + binOf(ms))
  }

  call(minute: number, isFailed: boolean, ms: number) {
    this.#calls.add(minute, isFailed ? 1 : 0)
    this.#callLatencies.add(minute, binOf(ms))
  }

  hour(last: number): ServiceHour {
    const counts = outcomes.map((name, column) => [name, this.#requests.hour(last, column)] as const)
    const [latencies, calls, callLatencies] = [this.#latencies, this.#calls, this.#callLatencies]
    const [p50, p95] = [quantiles(0.5, latencies, last), quantiles(0.95, latencies, last)]
    return {
      requests: Object.fromEntries(counts) as Record<Outcome, Counts>,
      latencyMs: { p50, p95, p99: quantiles(0.99, latencies, last) },
      platform: {
        ...{ ok: calls.hour(last, 0), failed: calls.hour(last, 1) },
        ...{ p50: quantiles(0.5, callLatencies, last), p95: quantiles(0.95, callLatencies, last) },
      },
      operations: this.#mostAsked(last),
    }
  }

  take(): ServiceTally {
    return this.#tables()
      .map(([name, table]) => [name, table.take()] as const)
      .filter(([, taken]) => taken.length > 0)
  }

  give(tally: ServiceTally) {
    const own = new Map(this.#tables())
    for (const [name, taken] of tally) (own.get(name) ?? this.#tableOf(name))?.give(taken)
  }

  /** no operation's name has a blank in it */
  #tables(): (readonly [string, Minutes])[] {
    return [
      ...([['requests ', this.#requests] as const, ['latencies ', this.#latencies]] as const),
      ...([['calls ', this.#calls] as const, ['call latencies ', this.#callLatencies]] as const),
      ...this.#operations,
    ]
  }

  #tableOf(operation: string): Minutes | undefined {
    const found = this.#operations.get(operation)
    if (found || !this.#known.has(operation)) return found
    const table = new Minutes(firstBin + bins)
    this.#operations.set(operation, table)
    return table
  }

  #mostAsked(last: number): OperationHour[] {
    return [...this.#operations]
      .map(([operation, table]) => ({ operation, table, requests: table.sum(last, asked) }))
      .filter(({ requests }) => requests > 0)
      .sort((a, b) => b.requests - a.requests || (a.operation < b.operation ? -1 : 1))
      .slice(0, told)
      .map(({ operation, table, requests }) => ({
        ...{ operation, requests, errors: table.sum(last, inVain) },
        p95: quantile(0.95, binsOf(table, last)),
      }))
  }
}
