// The problems of every HTTP service: each with its type, status and texts. A service adds its own.
// Long because it is a table.

export interface ProblemRow {
  readonly type: string
  readonly status: number
  readonly summary: string
  readonly cure: string
  readonly retryable?: true
  readonly operator?: true
  readonly agents?: true
  readonly closes?: true
  readonly realm?: string
  readonly invalidToken?: true
  /** sent as `Retry-After` where the refusal says no other time */
  readonly retryAfterSec?: number
  /** the outcome of a platform call that ends so; absent: refused */
  readonly outcome?: string
}

type Marks = Omit<ProblemRow, 'type' | 'status' | 'summary' | 'cure'>

/** makes the rows of one type and status, all of them with the marks in common */
export const problemsOf =
  <T extends string>(type: T, status: number, common: Marks = {}) =>
  (summary: string, cure: string, marks: Marks = {}) => ({ type, status, summary, cure, ...common, ...marks })

const invalidQuery = problemsOf('invalid_query', 400)
const badRequest = problemsOf('bad_request', 400, { closes: true })
const unauthorized = problemsOf('unauthorized', 401, { operator: true })
const forbidden = problemsOf('forbidden', 403)
const rateLimited = problemsOf('rate_limited', 429, { retryable: true })
const overloaded = problemsOf('overloaded', 503, { retryable: true })

export const httpProblems = {
  unknown_parameter: invalidQuery(
    'The query holds a parameter that this route does not have.',
    'Use one of the allowed names in `details.allowed`. Nothing is ignored, so that a misspelt filter never widens a result.',
  ),
  repeated_parameter: invalidQuery(
    'A parameter is given more than once.',
    'Give it once; several values are separated by commas.',
  ),
  empty_parameter: invalidQuery('A parameter has no value.', 'Give it a value or leave it out.'),
  malformed_query: invalidQuery('The query string cannot be decoded.', 'Percent-encode names and values as UTF-8.'),
  value_not_allowed: invalidQuery(
    'A parameter has a value that is not allowed here.',
    'Use a value that the message (for programs: `details`) allows.',
  ),
  cursor_invalid: invalidQuery(
    'The cursor was not issued by this service.',
    'Pass `nextCursor` back exactly as it was received. If it is null, the list has ended. To start again, leave the cursor out.',
  ),
  cursor_mismatch: invalidQuery('The cursor belongs to another list.', 'Repeat the first request of the list.'),
  origin_not_allowed: forbidden(
    'Requests from web pages of another origin are not allowed.',
    'Send the request from a program, or from a page of this host: an Origin field must name the host of the request.',
    { agents: true },
  ),
  method_not_allowed: problemsOf('method_not_allowed', 405)(
    'The method is not allowed here.',
    'Use one of the methods of the Allow field.',
  ),
  store_unavailable: overloaded(
    'The store cannot be read or written at the moment.',
    'Try again in a moment. If it persists, the operator checks the disk and the log.',
  ),
  audit_behind: overloaded(
    'This caller reads faster than the audit log can be written.',
    'Wait for the seconds in `Retry-After`, and send requests less often.',
  ),
  too_busy: overloaded(
    'Too many requests are in progress, for this connection or in all.',
    'Wait for the seconds in `Retry-After` (`retryAfterSec` for agents and the client), and send fewer requests at once.',
  ),
  too_many_failures: rateLimited(
    'Too many requests with a bad key came from this network.',
    'Wait for the seconds in `Retry-After` (`retryAfterSec` for agents and the client), and compare the key with the one that the operator issued.',
  ),
  stopping: overloaded('The service is shutting down.', 'Try again in a moment.'),
  operator_token_missing: unauthorized(
    "The operator's token is required.",
    'Send it as `Authorization: Bearer <token>`.',
  ),
  operator_token_invalid: unauthorized(
    "The operator's token is not valid.",
    'Compare it with the one that the service was started with.',
    { invalidToken: true },
  ),
  operator_locked_out: rateLimited(
    'Too many wrong tokens came from this address.',
    'Send the right token: it is accepted at any time. Other tokens are refused for the seconds in `Retry-After`.',
    { operator: true },
  ),
  session_missing: unauthorized('The request has no session.', "Sign in with the operator's token."),
  session_ended: unauthorized(
    'The session has ended.',
    'Sign in again. A session ends after 30 minutes without activity, after 12 hours, when its token is removed, and, without Redis, when the service restarts.',
  ),
  session_unknown: unauthorized(
    'Redis, where the replicas keep sessions, does not answer, and this replica does not know the session.',
    'Sign in again at this replica, or wait until Redis is back: the session then continues.',
  ),
  csrf_missing: forbidden(
    'The request has the cookie of a session, but not its CSRF token.',
    'Send the token that came with the session.',
    { operator: true },
  ),
  operation_not_allowed: problemsOf('method_not_allowed', 405)(
    'This path does not allow this method.',
    'Use one of the methods in `details.allowed`.',
    { operator: true },
  ),
  malformed_body: problemsOf('invalid_request', 400)(
    'The body is not one JSON object.',
    'Send a JSON object of at most 64 kB, with `Content-Type: application/json`.',
    { agents: true },
  ),
  member_invalid: problemsOf('invalid_request', 400)(
    'A member of the request is missing, unknown or wrong.',
    'Change the member named in `param`.',
    { operator: true },
  ),
  internal_error: problemsOf('internal_error', 500)(
    'The service failed.',
    'This is a defect: please report it with the request id.',
    { retryable: true },
  ),
  malformed_request: badRequest(
    'The HTTP request is malformed.',
    'Send one well-formed HTTP/1.1 request with one Host field.',
  ),
  ambiguous_header: badRequest(
    'A header field that must stand alone is given twice.',
    'Send Host and Authorization once.',
  ),
  host_not_allowed: problemsOf('bad_request', 421)(
    'This port listens on loopback, and does not accept the host name of the request.',
    'Use `localhost` or `127.0.0.1`. If a proxy passes on another name, the operator sets that name.',
    { closes: true },
  ),
  content_not_allowed: badRequest(
    'The request has a body.',
    'Read requests have no content: send no body, no Content-Length and no Transfer-Encoding.',
  ),
  request_timeout: problemsOf('request_timeout', 408)(
    'The request did not arrive in time.',
    'Send the whole request within 5 seconds.',
    { retryable: true, closes: true },
  ),
  payload_too_large: problemsOf('payload_too_large', 413)(
    'The request has too much content.',
    'Send at most 64 kB, and no body where only GET and HEAD are allowed.',
    { closes: true },
  ),
  uri_too_long: problemsOf('uri_too_long', 414)(
    'The request target is longer than 8,192 bytes.',
    'Shorten the query.',
    { closes: true },
  ),
  expectation_failed: problemsOf('expectation_failed', 417)(
    'The Expect field cannot be met.',
    'Leave the Expect field out.',
    { closes: true },
  ),
  headers_too_large: problemsOf('headers_too_large', 431)(
    'The request has too many or too large header fields.',
    'Send at most 100 fields, and 16 kB of them in total.',
    { closes: true },
  ),
  version_not_supported: problemsOf('bad_request', 505)('This HTTP version is not supported.', 'Use HTTP/1.1.', {
    closes: true,
  }),
} satisfies Readonly<Record<string, ProblemRow>>

export type ProblemCode = keyof typeof httpProblems

type ProblemRows = Readonly<Record<string, ProblemRow>>

export interface ProblemExtras {
  /** replaces the table's text; fixed words and our own names only, never the platform's text */
  message?: string
  param?: string
  details?: Record<string, unknown>
  retryAfterSec?: number
  cause?: unknown
}

export function errorOf({ code, message, row, extras: { param, details } }: AnyProblem, requestId?: string) {
  return {
    type: row.type,
    code,
    message,
    ...(requestId !== undefined && { requestId }),
    retryable: row.retryable === true,
    docUrl: `/errors/${code}`,
    ...(param !== undefined && { param }),
    ...(details && { details }),
  }
}

export type AnyProblem = Problem<string>

/** A refusal for the caller. They may read every member but `cause`. */
export class Problem<Code extends string = ProblemCode> extends Error {
  static rows: ProblemRows = httpProblems
  /** the error object that callers get; a service may have members of its own */
  static present: (problem: AnyProblem, requestId?: string) => object = errorOf

  readonly code: Code
  readonly row: ProblemRow
  readonly extras: ProblemExtras

  constructor(code: Code, extras: ProblemExtras = {}) {
    const row = Problem.rows[code] ?? httpProblems.internal_error
    super(extras.message ?? `${row.summary} ${row.cure}`.replaceAll('`', ''), { cause: extras.cause })
    this.name = 'Problem'
    this.code = code
    this.row = row
    this.extras = extras
  }
}
