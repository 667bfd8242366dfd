// The one class of errors: refusals of the service, and failures without an answer of it.
import type { ErrorType } from './derived.ts'
import type { Known } from './types.ts'

export interface Failure {
  readonly type: Known<ErrorType>
  readonly code: string
  readonly status: number
  readonly requestId: string
  readonly retryable: boolean
  readonly details?: Readonly<Record<string, unknown>>
  readonly retryAfterSec?: number
}

/** Every failure of a call except an abort, which rejects with the signal's reason. */
export class AtelierError extends Error {
  override name = 'AtelierError'
  /** for decisions in programs: the service's types, and `unreachable`, `deadline`, `unexpected_answer` */
  declare readonly type: Known<ErrorType>
  /** finer than the type where the service says more; otherwise the type */
  declare readonly code: string
  /** of the HTTP response; 0 without one */
  declare readonly status: number
  /** also in the service's log; empty without a response */
  declare readonly requestId: string
  /** whether the same call may succeed later */
  declare readonly retryable: boolean
  /** such as `field` and `reason` of an invalid request */
  declare readonly details?: Readonly<Record<string, unknown>>
  /** how long to wait before a repeat */
  declare readonly retryAfterSec?: number

  constructor(message: string, failure: Failure, options?: { readonly cause?: unknown }) {
    super(message, options)
    Object.assign(this, failure)
  }
}

type Unanswered = 'unreachable' | 'deadline' | 'unexpected_answer' | 'exec_outcome_unknown'

/** a failure that the service has not told */
export const withoutAnswer = (type: Unanswered, response?: { status: number; requestId: string }): Failure => ({
  type,
  code: type,
  status: response?.status ?? 0,
  requestId: response?.requestId ?? '',
  retryable: type === 'unreachable' || type === 'deadline',
})

/** The runtime's code of the failure: some hide it behind "fetch failed". */
export function reasonOf(error: unknown): string {
  const { code, message, cause } = (error ?? {}) as { code?: unknown; message?: unknown; cause?: unknown }
  if (cause !== undefined && cause !== null) return reasonOf(cause)
  return String(code ?? message ?? error).replace(/\.$/, '')
}

export const brokeOff = (cause: unknown, requestId: string): AtelierError =>
  new AtelierError(
    `The answer broke off: ${reasonOf(cause)}.`,
    { ...withoutAnswer('unreachable'), requestId },
    { cause },
  )
