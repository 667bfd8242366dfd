// One class for each way a call can fail: those that the service tells, by type, and those without an answer of its own.
import type { ArgumentCode } from './arguments.ts'
import type { Known } from './types.ts'
import type { ErrorCode, ErrorType } from './derived.ts'

export interface Failure {
  readonly type: Known<ErrorType>
  readonly code: Known<ErrorCode>
  readonly status: number
  readonly requestId: string
  readonly retryable: boolean
  readonly docUrl: string
  readonly param?: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly retryAfterSec?: number
}

/** how far a walk had come */
export interface Walked {
  /** items of the pages before */
  readonly items: number
  /** of the page that failed: `pages({ cursor })` goes on from there; null: the first page, so walk again without one */
  readonly cursor: string | null
}

/** Every failure of a call, but an abort: that rejects with the signal's reason. */
export class VitrineError extends Error {
  override name = 'VitrineError'
  /** the family; programs decide on it */
  declare readonly type: Known<ErrorType>
  /** finer than the type; more may come */
  declare readonly code: Known<ErrorCode>
  /** of the HTTP answer; 0 where there was none */
  declare readonly status: number
  /** also in the service's log; empty where there was no answer */
  declare readonly requestId: string
  /** whether the same call may succeed later */
  declare readonly retryable: boolean
  /** address of the page about the code */
  declare readonly docUrl: string
  /** the parameter at fault */
  declare readonly param?: string
  declare readonly details?: Readonly<Record<string, unknown>>
  /** how long the service asks to wait */
  declare readonly retryAfterSec?: number
  /** on a failure in the middle of a list */
  declare readonly walked?: Walked

  constructor(message: string, failure: Failure, options?: { readonly cause?: unknown }) {
    super(message, options)
    Object.assign(this, failure)
  }
}

/** A parameter is wrong; `param` names it. Status 0: it was not even sent. */
export class InvalidQueryError extends VitrineError {
  override name = 'InvalidQueryError'
}
/** The key is missing, mistyped, expired or revoked. */
export class UnauthorizedError extends VitrineError {
  override name = 'UnauthorizedError'
}
/** The key lacks a group of operations. */
export class ForbiddenError extends VitrineError {
  override name = 'ForbiddenError'
}
/** The platform lets the connection's signing key not read this. */
export class UpstreamForbiddenError extends VitrineError {
  override name = 'UpstreamForbiddenError'
}
export class ResourceNotFoundError extends VitrineError {
  override name = 'ResourceNotFoundError'
}
/** There is no localization of exactly this locale. */
export class LocalizationNotFoundError extends VitrineError {
  override name = 'LocalizationNotFoundError'
}
/** There is more than one localization of this locale. */
export class AmbiguousSelectionError extends VitrineError {
  override name = 'AmbiguousSelectionError'
}
export class RateLimitedError extends VitrineError {
  override name = 'RateLimitedError'
}
/** The platform failed, or does not answer. */
export class UpstreamError extends VitrineError {
  override name = 'UpstreamError'
}
/** The service has too much to do, or is stopping. */
export class OverloadedError extends VitrineError {
  override name = 'OverloadedError'
}
/** The service failed. */
export class InternalError extends VitrineError {
  override name = 'InternalError'
}
export class MethodNotAllowedError extends VitrineError {
  override name = 'MethodNotAllowedError'
}
/** A refusal of another type: broken framing, or one that is newer than this client. */
export class RequestError extends VitrineError {
  override name = 'RequestError'
}

/** The service cannot be reached, or its answer broke off. */
export class UnreachableError extends VitrineError {
  override name = 'UnreachableError'
}
/** The time for the call is over. */
export class DeadlineError extends VitrineError {
  override name = 'DeadlineError'
}
/** What answered was not this service: a proxy's page, a redirect, something that is no JSON of ours. */
export class UnexpectedAnswerError extends VitrineError {
  override name = 'UnexpectedAnswerError'
}
/** The list is longer than the caller wants to hold. */
export class TooManyItemsError extends VitrineError {
  override name = 'TooManyItemsError'
  readonly max: number

  constructor(max: number, base = '') {
    super(
      `There are more than ${max} items. Raise \`max\`, or walk the list with for await.`,
      withoutAnswer(base, 'too_many_items'),
    )
    this.max = max
  }
}

export const errorClasses: Readonly<Record<string, typeof VitrineError>> = {
  invalid_query: InvalidQueryError,
  unauthorized: UnauthorizedError,
  forbidden: ForbiddenError,
  upstream_forbidden: UpstreamForbiddenError,
  resource_not_found: ResourceNotFoundError,
  localization_not_found: LocalizationNotFoundError,
  ambiguous_selection: AmbiguousSelectionError,
  rate_limited: RateLimitedError,
  upstream_error: UpstreamError,
  overloaded: OverloadedError,
  internal_error: InternalError,
  method_not_allowed: MethodNotAllowedError,
}

/** the members of an error that no answer stands behind; `base`: where the service is, which has a page for each code */
export function withoutAnswer(base: string, code: string, type = code, param?: string): Failure {
  const failure = {
    type,
    code,
    status: 0,
    requestId: '',
    retryable: type === 'unreachable' || type === 'deadline',
    docUrl: `${base}/errors/${code}`,
  }
  return param === undefined ? failure : { ...failure, param }
}

/** a mistake that is seen before anything is sent */
export function notSent(base: string, code: ArgumentCode, param: string | undefined, said: string): VitrineError {
  const Kind = code.endsWith('_not_found') ? ResourceNotFoundError : InvalidQueryError
  const type = Kind === ResourceNotFoundError ? 'resource_not_found' : 'invalid_query'
  return new Kind(param === undefined ? said : `"${param}" ${said}`, withoutAnswer(base, code, type, param))
}
