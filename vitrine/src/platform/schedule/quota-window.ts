// Models one quota window of the platform: what it reported as left, minus our calls since, plus those that have left the window.
import type { QuotaWindow } from '../port.ts'

interface Slot {
  readonly endsAt: number
  count: number
}

/** Counts events of the last `lengthMs` in slots. A class, because there is one for each active facade key. */
export class RollingCount {
  readonly #lengthMs: number
  readonly #slotMs: number
  readonly #steady: () => number
  #slots: Slot[] = []
  #sum = 0
  #expired = 0

  constructor(lengthMs: number, slots: number, steady: () => number) {
    this.#lengthMs = lengthMs
    this.#slotMs = lengthMs / slots
    this.#steady = steady
  }

  add() {
    const now = this.#advance()
    const last = this.#slots.at(-1)
    if (last && last.endsAt > now) last.count++
    else this.#slots.push({ endsAt: now + this.#slotMs, count: 1 })
    this.#sum++
  }

  /** the latest event did not happen after all; false where none is left to take back */
  takeBack(): boolean {
    const last = this.#slots.at(-1)
    if (!last || last.count === 0) return false
    last.count--
    this.#sum--
    return true
  }

  total(): number {
    this.#advance()
    return this.#sum
  }

  takeExpired(): number {
    this.#advance()
    const expired = this.#expired
    this.#expired = 0
    return expired
  }

  /** milliseconds until the oldest slot leaves the window; undefined where there is none */
  nextExpiryMs(): number | undefined {
    const now = this.#advance()
    const oldest = this.#slots[0]
    return oldest && Math.max(1, oldest.endsAt + this.#lengthMs - now)
  }

  #advance(): number {
    const now = this.#steady()
    let oldest = this.#slots[0]
    while (oldest && oldest.endsAt + this.#lengthMs <= now) {
      this.#slots = this.#slots.slice(1)
      this.#sum -= oldest.count
      this.#expired += oldest.count
      oldest = this.#slots[0]
    }
    return now
  }
}

/** a report so old is tried with a call: others use the signing key too, and their calls expire unseen */
const probeMs = 60_000

export interface Occasion {
  /** other calls under way, which the report may not include */
  readonly running: number
  readonly begunAt: number
}

export type ModelWindow = ReturnType<typeof createWindow>

/** The least of the reports that may be the latest: answers overtake each other, and which call was counted last is unknown. */
function createLeastReport(steady: () => number) {
  const reports: { readonly left: number; readonly at: number }[] = []
  return (left: number, begunAt: number): number => {
    let [least, kept] = [left, 0]
    for (const report of reports) {
      // a call that began after a report is counted after it
      if (report.at < begunAt) continue
      reports[kept++] = report
      least = Math.min(least, report.left)
    }
    reports[kept] = { left, at: steady() }
    reports.length = kept + 1
    return least
  }
}

export function createWindow(lengthMs: number, steady: () => number) {
  const own = new RollingCount(lengthMs, 60, steady)
  const leastOf = createLeastReport(steady)
  let reported: QuotaWindow | undefined
  let since = 0
  let reportedAt = 0
  let spentAt = 0

  const untilProbeMs = (): number => Math.max(0, Math.max(reportedAt, spentAt) + Math.min(probeMs, lengthMs) - steady())

  function remaining(): number {
    if (!reported) return Number.POSITIVE_INFINITY
    since -= own.takeExpired()
    // all that others had used by then has left the window
    const isExpired = steady() - reportedAt >= lengthMs
    const left = Math.min(reported.limit, isExpired ? reported.limit - own.total() : reported.remaining - since)
    return left < 1 && untilProbeMs() === 0 ? 1 : Math.max(0, left)
  }

  return {
    spend() {
      own.add()
      since++
      spentAt = steady()
    },
    takeBack() {
      if (own.takeBack()) since--
    },
    tell({ limit, remaining: left }: QuotaWindow, { running, begunAt }: Occasion) {
      own.takeExpired()
      reported = { limit, remaining: leastOf(left, begunAt) }
      since = running
      reportedAt = steady()
    },
    limit: () => reported?.limit,
    remaining,
    untilProbeMs,
    waitMs: () => (remaining() >= 1 ? 0 : Math.max(1, Math.min(untilProbeMs(), own.nextExpiryMs() ?? probeMs))),
    shown: () => reported && { limit: reported.limit, remaining: Math.floor(remaining()) },
  }
}
