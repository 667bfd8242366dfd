// A facade key gets its rate per minute and no more, over all replicas together. A window begins with the first request after the
// previous window; seen from outside, with the first request that is accepted.
import { type Checker, createFaults } from './checker.ts'

export interface Admission {
  readonly keyId: string
  readonly sentAt: number
  readonly doneAt: number
}

export interface Rates extends Checker {
  limit(keyId: string, perMinute: number): void
  admitted(admission: Admission): void
  /** replicas could not count together in that time, so the looser bound applies */
  apart(from: number, to: number): void
  /** the most in one window, as a share of the limit: while they could count together, and at any time */
  worst(): { readonly together: number; readonly apart: number }
}

export interface RatesOptions {
  readonly windowMs?: number
  /** how far a window may exceed the limit, as a share of it */
  readonly slack?: number
  /** the same for a window in which replicas counted separately */
  readonly apartSlack: number
}

interface Span {
  readonly from: number
  to: number
}

interface Window extends Span {
  count: number
}

export function createRatesChecker({ windowMs = 60_000, slack = 1.05, apartSlack }: RatesOptions): Rates {
  const limits = new Map<string, number>()
  const windows = new Map<string, Window[]>()
  const spans: Span[] = []
  const isApart = ({ from, to }: Window) => spans.some((span) => span.from < to && span.to > from)
  const all = () =>
    [...windows].flatMap(([keyId, some]) =>
      some.map((window) => ({ keyId, ...window, apart: isApart(window), limit: limits.get(keyId) ?? Infinity })),
    )
  const most = (apart: boolean) =>
    all().reduce((so, one) => (one.apart === apart ? Math.max(so, one.count / one.limit) : so), 0)

  return {
    promise: `a key is accepted no more often a minute than its limit and ${Math.round((slack - 1) * 100)} %, over all replicas`,
    limit: (keyId, perMinute) => void limits.set(keyId, perMinute),
    admitted({ keyId, sentAt, doneAt }) {
      const known = windows.get(keyId) ?? []
      windows.set(keyId, known)
      const last = known.at(-1)
      if (!last || doneAt >= last.to) known.push({ from: sentAt, to: sentAt + windowMs, count: 1 })
      // an answer that arrives after the end of its window was counted in that window
      else if (sentAt >= last.from) last.count++
    },
    apart: (from, to) => void spans.push({ from, to }),
    worst: () => ({ together: most(false), apart: most(true) }),
    faults() {
      const faults = createFaults()
      for (const { keyId, from, count, limit, apart } of all())
        if (count > Math.ceil(limit * (apart ? apartSlack : slack)))
          faults.add(
            `key ${keyId} of ${limit} a minute: ${count} from ${(from / 1_000).toFixed(0)} s on${apart ? ', counted apart' : ''}`,
          )
      return faults.all()
    },
  }
}
