// The hours of this process that are not in the store yet. Counting allocates nothing in an hour that has begun, since every
// request passes here; the store gets the sums every minute.
import { addSums, type HourSums, noSums } from './hour-sums.ts'
import { bins, binOf } from './latencies.ts'
import { outcomes, type RequestOutcome } from './service.ts'

export const hoursKept = 7 * 24
export const hourMs = 3_600_000

/** outcomes that count as errors of an operation */
const inVain: ReadonlySet<RequestOutcome> = new Set(['upstream', 'failed'])

class HourTally {
  readonly requests = new Uint32Array(outcomes.length)
  readonly latencies = new Uint32Array(bins)
  readonly calls = new Uint32Array(2)
  readonly callLatencies = new Uint32Array(bins)
  readonly operations = new Map<string, [requests: number, errors: number]>()
}

const binsOf = (counts: Uint32Array): Record<string, number> =>
  Object.fromEntries([...counts.entries()].filter(([, count]) => count > 0))

const sumsOf = (tally: HourTally): HourSums => ({
  requests: [...tally.requests],
  latencies: binsOf(tally.latencies),
  calls: [...tally.calls],
  callLatencies: binsOf(tally.callLatencies),
  operations: Object.fromEntries(tally.operations),
})

const increment = (counts: Uint32Array, at: number) => void (counts[at] = (counts[at] ?? 0) + 1)

export class UnsavedHours {
  readonly #known: ReadonlySet<string>
  readonly #clock: () => number
  #hour = Number.NaN
  #tally = new HourTally()
  #unsaved = new Map<number, HourSums>()

  /** `known`: the operations that are counted by name */
  constructor(known: readonly string[], clock: () => number) {
    this.#known = new Set(known)
    this.#clock = clock
  }

  hour(): number {
    return Math.floor(this.#clock() / hourMs)
  }

  request(outcome: RequestOutcome, operation: string, ms: number) {
    const tally = this.#now()
    increment(tally.requests, outcomes.indexOf(outcome))
    if (!this.#known.has(operation)) return
    const counts = tally.operations.get(operation)
    const error = inVain.has(outcome) ? 1 : 0
    if (counts) {
      counts[0]++
      counts[1] += error
    } else tally.operations.set(operation, [1, error])
    if (outcome !== 'left') increment(tally.latencies, binOf(ms))
  }

  call(isFailed: boolean, ms: number) {
    const tally = this.#now()
    increment(tally.calls, isFailed ? 1 : 0)
    increment(tally.callLatencies, binOf(ms))
  }

  /** what the store lacks: the current hour too, even without requests, so that it is known to have had none */
  take(): ReadonlyMap<number, HourSums> {
    this.#now()
    this.#keep()
    const taken = this.#unsaved
    this.#unsaved = new Map()
    return taken
  }

  /** what was taken and not stored; hours that are no longer kept go */
  giveBack(hours: ReadonlyMap<number, HourSums>) {
    for (const [hour, sums] of hours)
      if (hour > this.hour() - hoursKept) this.#unsaved.set(hour, addSums(this.#unsaved.get(hour) ?? noSums, sums))
  }

  #now(): HourTally {
    const hour = this.hour()
    if (hour === this.#hour) return this.#tally
    if (!Number.isNaN(this.#hour)) this.#keep()
    this.#hour = hour
    return this.#tally
  }

  #keep() {
    this.#unsaved.set(this.#hour, addSums(this.#unsaved.get(this.#hour) ?? noSums, sumsOf(this.#tally)))
    this.#tally = new HourTally()
  }
}
