// What the platform client offers: the upstream of a connection, its state, and the context that a read is made in.
import type { CallTrace } from '../../../base/watch/spans.ts'
import type { Signal } from '../../../base/core/abort.ts'
import type { PlatformDocument, PlatformRead, Purpose } from '../engine/port.ts'

/** Observes a read and returns its result unchanged. */
export type Watch = (
  read: PlatformRead,
  purpose: Purpose,
  make: () => Promise<PlatformDocument>,
) => Promise<PlatformDocument>

/** What one request costs; the platform client adds to it. */
export interface Cost {
  calls: number
  retries: number
  /** reads that joined another request's call */
  shared: number
  waitedMs: number
  platformMs: number
}

/** what a facade key may cost the platform */
export interface CallBudget {
  /** throws if nothing is left: before a place in a queue or a trial of the breaker is taken */
  check(): void
  /** takes one platform call, or rejects */
  spend(): Promise<void>
}

export interface ReadContext {
  /** aborted at the deadline, or when every caller has left */
  readonly signal: Signal
  /** the deadline, on the steady clock */
  readonly endsAt: number
  readonly who: string
  /** later pages of a list give way to first answers */
  readonly patient: boolean
  /** joins no call under way */
  readonly fresh: boolean
  /** tries a signing key: no breaker rejects it */
  readonly trial?: true | undefined
  readonly trace?: ((attempt: number) => CallTrace) | undefined
  readonly cost: Cost
  readonly budget?: CallBudget | undefined
  /** calls the listener for every request that joins the same call */
  readonly onJoin?: (listener: (other: ReadContext) => void) => void
  /** called when a document with so many bytes of text has arrived, which is parsed once this resolves; again after a retry */
  readonly onArrival?: (bytes: number) => Promise<unknown>
}

export type BoundGet = (read: PlatformRead, context: ReadContext) => Promise<PlatformDocument>

export interface QuotaWindow {
  readonly limit: number
  /** by our count, which every answer corrects */
  readonly remaining: number
}

export interface UpstreamState {
  readonly breaker: 'closed' | 'open' | 'half-open'
  readonly retryAfterSec: number | null
  readonly hour?: QuotaWindow
  readonly minute?: QuotaWindow
  readonly pausedSec: number
  /** calls of the signing key, which several connections may share */
  readonly running: number
  readonly waiting: number
  readonly keyRejected: boolean
  readonly lastAnswerAt: number | null
  readonly lastFailure: { readonly at: number; readonly code: string } | null
}

export interface Upstream {
  readonly get: BoundGet
  readonly hour: () => QuotaWindow | undefined
  readonly state: () => UpstreamState
}
