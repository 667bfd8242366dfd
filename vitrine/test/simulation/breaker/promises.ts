// What docs/decisions/platform-trouble.md promises of the breaker of one lane at one replica, counted apart from it: five failures in
// a row open it, then one call tries after 1, 2, 4, then every 5 seconds, and the first answer closes it.

const mostInARow = 5
/** of these calls within ten seconds, half may have failed before */
const [leastCalls, windowMs] = [20, 10_000]
const probesMs = [1_000, 2_000, 4_000, 5_000]
/** clocks drift by less; a message between replicas has arrived by then */
const [driftPart, slackMs, messageMs] = [0.01, 5, 3_000]

export class LanePromises {
  #failures = 0
  #calls: number[] = []
  #firstFailureAt = 0
  #isForgiven = false
  /** by the share of all calls */
  #mayBeOpen = false
  #probes = 0
  /** when the next call may try; undefined: it is not known to be open */
  #nextAt: number | undefined
  #triedAt = 0

  #pause(now: number) {
    this.#nextAt = now + (probesMs[Math.min(this.#probes, probesMs.length - 1)] ?? 0)
    this.#probes++
    this.#triedAt = now
  }

  /** calls that began lately enough to count */
  #recent(now: number): number {
    return this.#calls.filter((at) => at > now - 2 * windowMs).length
  }

  /** a call begins; the promise that it breaks */
  begins(now: number): string | undefined {
    this.#calls = [...this.#calls.filter((at) => at > now - 2 * windowMs), now]
    const next = this.#nextAt
    if (next === undefined) return undefined
    const early = next - (next - this.#triedAt) * driftPart - slackMs
    if (now < early)
      return `while nothing answers, one call tries after a pause, and not ${Math.round(next - now)} ms before`
    this.#pause(now)
    return undefined
  }

  /** it had no answer. `newsAt`: when another replica last had one */
  failed(now: number, newsAt: number) {
    if (this.#failures === 0) this.#firstFailureAt = now
    this.#failures++
    this.#mayBeOpen ||= this.#recent(now) >= leastCalls
    // the first answer that another replica had may have begun the row anew, once
    const most = newsAt > this.#firstFailureAt - messageMs ? 2 * mostInARow : mostInARow
    if (this.#failures < most || this.#nextAt !== undefined) return
    // with the news of another, or by the share of all calls, it may have opened before
    this.#isForgiven = most > mostInARow || this.#mayBeOpen
    this.#pause(this.#isForgiven ? (this.#calls.at(-1) ?? now) : now)
  }

  answered() {
    this.#failures = 0
    this.#nextAt = undefined
    this.#probes = 0
    this.#isForgiven = this.#mayBeOpen = false
  }

  /** a caller is refused; the promise that it breaks */
  refused(now: number): string | undefined {
    const next = this.#nextAt
    if (next !== undefined && !this.#isForgiven) {
      const late = next + (next - this.#triedAt) * driftPart + slackMs
      return now > late
        ? `one call tries after 1, 2, 4, then every 5 seconds, and this is ${Math.round(now - next)} ms later`
        : undefined
    }
    if (this.#failures < mostInARow && !this.#mayBeOpen && next === undefined)
      return `callers are refused after ${mostInARow} failures in a row, and not after ${this.#failures}`
    return undefined
  }
}
