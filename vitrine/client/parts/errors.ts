// One class for each way a call can fail: by the service's error types, and for failures without an answer of the service.
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

/** how far paging got */
export interface Walked {
  /** items of the pages read so far */
  readonly items: number
  /** of the failed page: `pages({ cursor })` continues from there; null: the first page */
  readonly cursor: string | null
}

/** Every failure of a call except an abort, which rejects with the signal's reason. */
export class VitrineError extends Error {
  override name = 'VitrineError'
  /** a closed list, for decisions in programs */
  declare readonly type: Known<ErrorType>
  /** finer than the type; more may come */
  declare readonly code: Known<ErrorCode>
  /** of the HTTP response; 0 without one */
  declare readonly status: number
  /** also in the service's log; empty without a response */
  declare readonly requestId: string
  /** whether the same call may succeed later */
  declare readonly retryable: boolean
  /** a page about the code */
  declare readonly docUrl: string
  /** the wrong parameter */
  declare readonly param?: string
  declare readonly details?: Readonly<Record<string, unknown>>
  /** how long to wait before a repeat */
  declare readonly retryAfterSec?: number
  /** set if a list failed after its first page */
  declare readonly walked?: Walked

  constructor(message: string, failure: Failure, options?: { readonly cause?: unknown }) {
    super(message, options)
    Object.assign(this, failure)
  }
}

/** A parameter is wrong; `param` names it. Status 0: nothing was sent. */
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
/** The platform does not let the connection's signing key read this. */
export class UpstreamForbiddenError extends VitrineError {
  override name = 'UpstreamForbiddenError'
}
export class ResourceNotFoundError extends VitrineError {
  override name = 'ResourceNotFoundError'
}
/** There is no localization with exactly this locale. */
export class LocalizationNotFoundError extends VitrineError {
  override name = 'LocalizationNotFoundError'
}
/** There is more than one localization with this locale. */
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
/** The service is overloaded, or is stopping. */
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
/** An error of another type: a malformed request, or a type newer than this client. */
export class RequestError extends VitrineError {
  override name = 'RequestError'
}

/** The service cannot be reached, or its response ended early. */
export class UnreachableError extends VitrineError {
  override name = 'UnreachableError'
}
/** The call reached its deadline. */
export class DeadlineError extends VitrineError {
  override name = 'DeadlineError'
}
/** The response is not from the service: a proxy's page, a redirect, other JSON. */
export class UnexpectedAnswerError extends VitrineError {
  override name = 'UnexpectedAnswerError'
}
/** The list has more items than `max`. */
export class TooManyItemsError extends VitrineError {
  override name = 'TooManyItemsError'
  readonly max: number

  constructor(max: number, base = '') {
    super(
      `There are more than ${max} items. Raise \`max\`, or read the list with for await.`,
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

/** Members of an error without a response. `base`: the service's address, which has a page for each code. */
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

/** an error that is found before a request is sent */
export function notSent(base: string, code: ArgumentCode, param: string | undefined, said: string): VitrineError {
  const Kind = code.endsWith('_not_found') ? ResourceNotFoundError : InvalidQueryError
  const type = Kind === ResourceNotFoundError ? 'resource_not_found' : 'invalid_query'
  return new Kind(param === undefined ? said : `"${param}" ${said}`, withoutAnswer(base, code, type, param))
}
