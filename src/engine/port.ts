// The one thing the engine needs from outside: a way to read the platform. Whoever provides it owns tokens, sockets and time.
import type { Signal } from '../ending.ts'

/** One GET of the platform. */
export interface PlatformRead {
  /** path and query, ready to send */
  readonly target: string
  readonly accept: string
  /** platform parameter -> the caller's parameter that it came from */
  readonly given: ReadonlyMap<string, string>
  /** what comes of it is for whoever asked, and leaves this process in no other way */
  readonly withheld?: true
}

/** what a read is made for: the answer, or something that has to be found out before it */
export type Purpose = 'locale' | 'membership' | 'answer'

/** Answers the parsed JSON of a 200, integers exact, without links that nobody reads; every other outcome rejects with a Problem. */
export type Get = (read: PlatformRead, purpose: Purpose) => Promise<unknown>

/** Looks on while a read is made; what comes of it goes through unchanged. */
export type Watch = (read: PlatformRead, purpose: Purpose, make: () => Promise<unknown>) => Promise<unknown>

/** What the calls of one facade request came to; the platform adds to it while they are made. */
export interface Cost {
  /** calls that reached for the platform on behalf of this request */
  calls: number
  /** of these, those that repeat an earlier one */
  retries: number
  /** reads that another request's call answered */
  shared: number
  /** time spent waiting for a turn */
  waitedMs: number
  /** time spent waiting for the platform */
  platformMs: number
}

export const noCost = (): Cost => ({ calls: 0, retries: 0, shared: 0, waitedMs: 0, platformMs: 0 })

/** One platform call in a trace. */
export interface CallTrace {
  /** the header that the call carries, where the trace goes on at the platform */
  readonly traceparent?: string
  /** `status` where the platform answered, `code` where no answer came of it */
  end(came: { readonly status?: number; readonly code?: string }): void
}

/** On whose behalf the platform is read, and for how long: one for all the reads of a facade request. */
export interface Errand {
  /** aborted when the time is over, or nobody waits for the answer any more */
  readonly signal: Signal
  /** when the time is over, on the steady clock */
  readonly endsAt: number
  /** the facade key: what a platform key may ask is shared fairly among those who ask */
  readonly who: string
  /** can wait: the later pages of a walk give way to first answers */
  readonly patient: boolean
  /** wants an answer that begins now: joins no call that is under way */
  readonly fresh: boolean
  /** asks whatever is believed of the platform: to try a signing key is to find out */
  readonly trial?: true | undefined
  /** begins the part of the trace that one platform call is, where traces are on */
  readonly trace?: ((attempt: number) => CallTrace) | undefined
  readonly cost: Cost
  /** told of those who come to wait for the same call, while it can still be hastened */
  readonly onJoin?: (listener: (other: Errand) => void) => void
}

/** The same for one connection. */
export type BoundGet = (read: PlatformRead, errand: Errand) => Promise<unknown>

export interface Window {
  readonly limit: number
  /** what is left by our reckoning, which the platform's own word corrects with every answer */
  readonly remaining: number
}

/** How a connection stands with the platform, as this process knows it. */
export interface LineState {
  readonly breaker: 'closed' | 'open' | 'half-open'
  /** while the breaker is open: whole seconds until the platform is tried again */
  readonly retryAfterSec: number | null
  /** undefined: the platform has not said */
  readonly hour?: Window
  readonly minute?: Window
  /** whole seconds until the platform key may ask again; 0: now */
  readonly pausedSec: number
  /** calls of the platform key, which several connections can have in common */
  readonly running: number
  readonly waiting: number
  /** whether the platform refuses the signing key at the moment */
  readonly keyRejected: boolean
  /** epoch milliseconds */
  readonly lastAnswerAt: number | null
  readonly lastFailure: { readonly at: number; readonly code: string } | null
}

/** What is made for one is given to all who ask for the same, by its name, while it is under way. */
export type Share = <T>(name: string, errand: Errand, make: (errand: Errand) => Promise<T>) => Promise<T>

/** One connection to the platform: how it is read, and how it stands. */
export interface Line {
  readonly get: BoundGet
  readonly share: Share
  /** what is left of the platform's hour, which every answer says */
  readonly hour: () => Window | undefined
  readonly state: () => LineState
}

export type JsonObject = Readonly<Record<string, unknown>>

/** a JSON object: no list, no null, no number kept as text */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)
