// What docs/decisions/platform-trouble.md promises of the breakers of one lane and of a whole connection at one replica, counted apart
// from them: five failures in a row open one, then one call tries after 1, 2, 4, then every 5 seconds, and the first answer closes it.

const mostInARow = 5
/** of these calls within ten seconds, half may have failed before */
const [leastCalls, windowMs] = [20, 10_000]
const probesMs = [1_000, 2_000, 4_000, 5_000]
/** clocks drift by less; a message between replicas has arrived by then */
const [driftPart, slackMs, messageMs] = [0.01, 5, 3_000]

const pauseMs = (probes: number): number => probesMs[Math.min(probes, probesMs.length - 1)] ?? 0

/** while it is open: when the next call may try */
class Pauses {
  #probes = 0
  #triedAt = 0
  /** undefined: it is not known to be open */
  nextAt: number | undefined

  begin(now: number) {
    this.nextAt = now + pauseMs(this.#probes)
    this.#probes++
    this.#triedAt = now
  }

  end() {
    this.#probes = 0
    this.nextAt = undefined
  }

  /** a call begins; the promise that it breaks */
  tries(now: number): string | undefined {
    const next = this.nextAt
    if (next === undefined) return undefined
    if (now < next - (next - this.#triedAt) * driftPart - slackMs)
      return `while nothing answers, one call tries after a pause, and not ${Math.round(next - now)} ms before`
    this.begin(now)
    return undefined
  }
}

export interface OtherReplicas {
  /** when another replica last had an answer */
  answeredAt(): number
  /** Another replica had an answer long enough after this time and long enough ago to be heard of, and before this one told of one
   * of its own. Nothing was broken. */
  isHeard(sinceMs: number): boolean
}

export class LanePromises {
  readonly #others: OtherReplicas
  readonly #pauses = new Pauses()
  #failures = 0
  #firstFailureAt = 0
  /** the failure at which the news of another replica may first have begun the row anew; they must have by now */
  #newRowAt: number | undefined
  #isNewRow = false
  #calls: number[] = []
  /** by five failures, or by the share of all calls */
  #mayBeOpen = false
  /** it may have opened before it was known to be open */
  #isUncertain = false
  /** calls since it may be open */
  #tries = 0
  #refusesUntil = Number.NEGATIVE_INFINITY

  constructor(others: OtherReplicas) {
    this.#others = others
  }

  /** calls that began lately enough to count */
  #recent(now: number): number {
    return this.#calls.filter((at) => at > now - 2 * windowMs).length
  }

  #refusesFor(now: number, ms: number) {
    this.#refusesUntil = Math.max(this.#refusesUntil, now + ms * (1 + driftPart) + slackMs)
  }

  /** a call begins; the promise that it breaks */
  begins(now: number): string | undefined {
    this.#calls = [...this.#calls.filter((at) => at > now - 2 * windowMs), now]
    if (this.#mayBeOpen) this.#refusesFor(now, pauseMs(++this.#tries))
    return this.#pauses.tries(now)
  }

  /** it had no answer */
  failed(now: number) {
    if (this.#failures === 0) this.#firstFailureAt = now
    this.#failures++
    // the first answer that another replica had may have begun the row anew, once
    const isForgiven = this.#others.answeredAt() > this.#firstFailureAt - messageMs
    if (isForgiven && this.#failures > 1) this.#newRowAt ??= this.#failures
    this.#isNewRow ||= this.#newRowAt !== undefined && this.#others.isHeard(this.#firstFailureAt)
    const isManyCalls = this.#recent(now) >= leastCalls
    this.#mayBeOpen ||= this.atMostInARow >= mostInARow || isManyCalls
    const isKnown = this.#pauses.nextAt !== undefined
    if (this.#mayBeOpen && (!isKnown || this.#isUncertain)) this.#refusesFor(now, pauseMs(0))
    this.#isUncertain ||= !isKnown && (isForgiven || isManyCalls)
    if (isKnown || this.#failures < (isForgiven ? 2 : 1) * mostInARow) return
    this.#pauses.begin(this.#isUncertain ? (this.#calls.at(-1) ?? now) : now)
  }

  get atMostInARow(): number {
    return this.#isNewRow && this.#newRowAt !== undefined ? this.#failures - this.#newRowAt + 1 : this.#failures
  }

  answered() {
    this.#failures = this.#tries = 0
    this.#newRowAt = undefined
    this.#isNewRow = this.#isUncertain = this.#mayBeOpen = false
    this.#refusesUntil = Number.NEGATIVE_INFINITY
    this.#pauses.end()
  }

  /** a caller is refused; the promise that it breaks */
  refused(now: number): string | undefined {
    if (now <= this.#refusesUntil) return undefined
    if (!this.#mayBeOpen)
      return `callers are refused after ${mostInARow} failures in a row since the last news, and not after ${this.atMostInARow}`
    return `one call tries after 1, 2, 4, then every 5 seconds, and this is ${Math.round(now - this.#refusesUntil)} ms later`
  }
}

/** All lanes of a connection: it is open once several of them failed, five calls in a row, and then a neutral read. */
export class ConnectionPromises {
  readonly #pauses = new Pauses()
  #failures = 0
  #first = ''
  #isSeveral = false

  begins(now: number): string | undefined {
    return this.#pauses.tries(now)
  }

  failed(lane: string) {
    if (this.#failures === 0) this.#first = lane
    this.#failures++
    this.#isSeveral ||= lane !== this.#first
  }

  neutralFailed(now: number) {
    if (this.#isSeveral && this.#failures >= mostInARow && this.#pauses.nextAt === undefined) this.#pauses.begin(now)
  }

  answered() {
    this.#failures = 0
    this.#isSeveral = false
    this.#pauses.end()
  }

  mayRefuse(now: number): boolean {
    const { nextAt } = this.#pauses
    return nextAt !== undefined && now <= nextAt + pauseMs(Infinity) * driftPart + slackMs
  }
}
