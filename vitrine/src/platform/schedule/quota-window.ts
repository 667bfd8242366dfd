// Models one quota window of the platform: what it reported as left, minus our calls since, plus those that have left the window.
import type { QuotaWindow } from '../port.ts'

/** Counts events of the last `lengthMs` in slots, oldest first. A class, because there are several for each connection. A caller who
 * knows the time passes it as `now`: to read the clock takes as long as the rest. */
export class RollingCount {
  readonly #lengthMs: number
  readonly #slotMs: number
  readonly #steady: () => number
  readonly #ends: number[] = []
  readonly #counts: number[] = []
  #sum = 0
  #expired = 0

  constructor(lengthMs: number, slots: number, steady: () => number) {
    this.#lengthMs = lengthMs
    this.#slotMs = lengthMs / slots
    this.#steady = steady
  }

  add(now = this.#steady()) {
    this.#advance(now)
    const last = this.#ends.length - 1
    if ((this.#ends[last] ?? now) <= now) {
      this.#ends.push(now + this.#slotMs)
      this.#counts.push(1)
    } else this.#counts[last] = (this.#counts[last] ?? 0) + 1
    this.#sum++
  }

  /** the latest event did not happen after all; false where none is left to take back */
  takeBack(): boolean {
    const last = this.#counts.length - 1
    const count = this.#counts[last] ?? 0
    if (count === 0) return false
    this.#counts[last] = count - 1
    this.#sum--
    return true
  }

  total(now = this.#steady()): number {
    this.#advance(now)
    return this.#sum
  }

  takeExpired(now: number): number {
    this.#advance(now)
    const expired = this.#expired
    this.#expired = 0
    return expired
  }

  /** milliseconds until the oldest slot leaves the window; undefined where there is none */
  nextExpiryMs(now = this.#steady()): number | undefined {
    this.#advance(now)
    const [oldest] = this.#ends
    return oldest === undefined ? undefined : Math.max(1, oldest + this.#lengthMs - now)
  }

  #advance(now: number) {
    while ((this.#ends[0] ?? now) + this.#lengthMs <= now) {
      this.#ends.shift()
      const count = this.#counts.shift() ?? 0
      this.#sum -= count
      this.#expired += count
    }
  }
}

/** a report so old is tried with a call: others use the signing key too, and their calls expire unseen */
const probeMs = 60_000

export interface Occasion {
  /** other calls under way, which the report may not include */
  readonly running: number
  readonly begunAt: number
}

/** The least of the reports that may be the latest: answers overtake each other, and which call was counted last is unknown. */
class LeastReport {
  readonly #left: number[] = []
  readonly #at: number[] = []

  of(left: number, begunAt: number, now: number): number {
    let [least, kept] = [left, 0]
    // by index: the pairs of an iterator took 1.2 kB for each answer
    for (let number = 0; number < this.#at.length; number++) {
      const at = this.#at[number] ?? now
      // a call that began after a report is counted after it
      if (at < begunAt) continue
      const other = this.#left[number] ?? left
      this.#left[kept] = other
      this.#at[kept++] = at
      least = Math.min(least, other)
    }
    this.#left[kept] = left
    this.#at[kept] = now
    this.#left.length = this.#at.length = kept + 1
    return least
  }
}

export type ModelWindow = Pick<LocalWindow, keyof LocalWindow>

/** A class, as are all parts of a scheduler: there is one for each connection (docs/performance.md). */
export class LocalWindow {
  readonly #lengthMs: number
  readonly #steady: () => number
  readonly #own: RollingCount
  readonly #reports = new LeastReport()
  #limit: number | undefined
  #reported = 0
  #since = 0
  #reportedAt = 0
  #spentAt = 0

  constructor(lengthMs: number, steady: () => number) {
    this.#lengthMs = lengthMs
    this.#steady = steady
    this.#own = new RollingCount(lengthMs, 60, steady)
  }

  spend() {
    const now = this.#steady()
    this.#own.add(now)
    this.#since++
    this.#spentAt = now
  }

  takeBack() {
    if (this.#own.takeBack()) this.#since--
  }

  tell({ limit, remaining }: QuotaWindow, { running, begunAt }: Occasion) {
    const now = this.#steady()
    this.#own.takeExpired(now)
    this.#limit = limit
    this.#reported = this.#reports.of(remaining, begunAt, now)
    this.#since = running
    this.#reportedAt = now
  }

  limit(): number | undefined {
    return this.#limit
  }

  remaining(now = this.#steady()): number {
    const limit = this.#limit
    if (limit === undefined) return Number.POSITIVE_INFINITY
    this.#since -= this.#own.takeExpired(now)
    // all that others had used by then has left the window
    const isExpired = now - this.#reportedAt >= this.#lengthMs
    const left = Math.min(limit, isExpired ? limit - this.#own.total(now) : this.#reported - this.#since)
    return left < 1 && this.untilProbeMs(now) === 0 ? 1 : Math.max(0, left)
  }

  untilProbeMs(now = this.#steady()): number {
    const heardAt = Math.max(this.#reportedAt, this.#spentAt)
    return Math.max(0, heardAt + Math.min(probeMs, this.#lengthMs) - now)
  }

  waitMs(now = this.#steady()): number {
    if (this.remaining(now) >= 1) return 0
    return Math.max(1, Math.min(this.untilProbeMs(now), this.#own.nextExpiryMs(now) ?? probeMs))
  }

  shown(): QuotaWindow | undefined {
    const limit = this.#limit
    return limit === undefined ? undefined : { limit, remaining: Math.floor(this.remaining()) }
  }
}
