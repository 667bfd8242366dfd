// Every way an answer can fail, once: its type, status and words. The docs pages and the OpenAPI description read this table.
// Long because it is a table.

/** The first eight are the contract's closed list; the rest are ours. */
export type ProblemType =
  | 'invalid_query'
  | 'unauthorized'
  | 'forbidden'
  | 'upstream_forbidden'
  | 'resource_not_found'
  | 'localization_not_found'
  | 'ambiguous_selection'
  | 'rate_limited'
  | 'upstream_error'
  | 'method_not_allowed'
  | 'overloaded'
  | 'internal_error'
  | 'invalid_request'
  | 'conflict'
  | 'bad_request'
  | 'request_timeout'
  | 'payload_too_large'
  | 'uri_too_long'
  | 'expectation_failed'
  | 'headers_too_large'

interface Row {
  type: ProblemType
  status: number
  /** what happened, in one sentence */
  summary: string
  /** what the reader can do about it */
  cure: string
  retryable?: true
  /** met at the operator's door and the command line only */
  operator?: true
  /** met at POST /mcp, and on no route */
  agents?: true
}

const table = {
  unknown_parameter: {
    type: 'invalid_query',
    status: 400,
    summary: 'The query holds a parameter that this route does not have.',
    cure: 'Use one of the allowed names in `details.allowed`. Nothing is ignored, so that a misspelt filter never widens a result.',
  },
  repeated_parameter: {
    type: 'invalid_query',
    status: 400,
    summary: 'A parameter is given more than once.',
    cure: 'Give it once; several values are separated by commas.',
  },
  empty_parameter: {
    type: 'invalid_query',
    status: 400,
    summary: 'A parameter has no value.',
    cure: 'Give it a value or leave it out.',
  },
  malformed_query: {
    type: 'invalid_query',
    status: 400,
    summary: 'The query string cannot be decoded.',
    cure: 'Percent-encode names and values as UTF-8.',
  },
  value_not_allowed: {
    type: 'invalid_query',
    status: 400,
    summary: 'A parameter has a value that is not allowed here.',
    cure: 'Use what the message, and `details` for programs, say is allowed.',
  },
  request_too_long: {
    type: 'invalid_query',
    status: 400,
    summary: 'The request to the platform would be longer than the 4,096 bytes it accepts.',
    cure: 'Shorten the filters, or ask in several requests.',
  },
  cursor_invalid: {
    type: 'invalid_query',
    status: 400,
    summary: 'The cursor is not one that this service gave out.',
    cure: 'Pass `nextCursor` back exactly as it was received. Where it is null, the list has ended. To start again, leave the cursor out.',
  },
  cursor_mismatch: {
    type: 'invalid_query',
    status: 400,
    summary:
      'The cursor belongs to another connection, route, parent, filter or ordering, or to a localization made anew.',
    cure: 'Repeat the first request of the walk; only `limit` and `fields` may change.',
  },
  cursor_expired: {
    type: 'invalid_query',
    status: 400,
    summary: 'The cursor is too old.',
    cure: 'Start the walk again without a cursor. A cursor lives for 24 hours.',
  },
  platform_refused_value: {
    type: 'invalid_query',
    status: 400,
    summary: 'The platform does not accept the value of a parameter.',
    cure: 'Change or leave out the parameter named in `param`.',
  },
  key_missing: {
    type: 'unauthorized',
    status: 401,
    summary: 'A facade key is required.',
    cure: 'Send it as `Authorization: Bearer <key>`. The operator makes one with `vitrine keys create`; the reference at /docs needs none.',
  },
  key_invalid: {
    type: 'unauthorized',
    status: 401,
    summary: 'The facade key is not valid.',
    cure: 'Check that it was copied whole. A mistyped, unknown, expired and revoked key all read the same: ask the operator for a new one.',
  },
  group_not_granted: {
    type: 'forbidden',
    status: 403,
    summary: 'The facade key may not read this group of routes.',
    cure: 'Ask the operator for a key with the group named in `details.group`.',
  },
  origin_not_allowed: {
    type: 'forbidden',
    status: 403,
    summary: 'A web page of another origin may not ask here.',
    cure: 'Ask from a program, or from a page of this host: the Origin field, where there is one, must name the host of the request.',
    agents: true,
  },
  upstream_forbidden: {
    type: 'upstream_forbidden',
    status: 403,
    summary: "The connection's platform key may not read this resource.",
    cure: 'The operator gives the platform key a role that may read it.',
  },
  upstream_agreement_missing: {
    type: 'upstream_forbidden',
    status: 403,
    summary: 'The platform refuses every call of this account until an agreement is accepted.',
    cure: 'The account holder accepts the pending agreement at the platform.',
  },
  route_not_found: {
    type: 'resource_not_found',
    status: 404,
    summary: 'There is no such route.',
    cure: 'Compare the path with the reference at /docs. Routes under /legacy are never used as a fallback.',
  },
  connection_not_found: {
    type: 'resource_not_found',
    status: 404,
    summary: 'There is no such connection for this key.',
    cure: 'Check the connection id, and ask the operator which connections the key may read.',
  },
  resource_not_found: {
    type: 'resource_not_found',
    status: 404,
    summary: 'The resource or its parent does not exist in this connection.',
    cure: 'Check the ids in the path, and that the child belongs to the parent.',
  },
  localization_not_found: {
    type: 'localization_not_found',
    status: 404,
    summary: 'The parent has no localization for exactly this locale.',
    cure: 'Locales are compared byte for byte, without a fallback: `en-US` is neither `en` nor `en-us`.',
  },
  method_not_allowed: {
    type: 'method_not_allowed',
    status: 405,
    summary: 'This service only reads.',
    cure: 'Use GET or HEAD. Agents ask by POST, at `/mcp` alone.',
  },
  ambiguous_selection: {
    type: 'ambiguous_selection',
    status: 409,
    summary: 'The parent has more than one localization for this locale.',
    cure: 'Remove the duplicate at the platform; the service does not choose for you.',
  },
  key_rate_limited: {
    type: 'rate_limited',
    status: 429,
    summary: 'The facade key has used up its requests for this minute.',
    cure: 'Wait for the seconds in `Retry-After` (`retryAfterSec` for agents and the client).',
    retryable: true,
  },
  upstream_rate_limited: {
    type: 'rate_limited',
    status: 429,
    summary: "The platform's request limit for this connection is used up.",
    cure: 'Wait for the seconds in `Retry-After` (`retryAfterSec` for agents and the client) if it is given, else for some minutes: the platform counts over a rolling hour.',
    retryable: true,
  },
  upstream_key_rejected: {
    type: 'upstream_error',
    status: 502,
    summary: "The platform does not accept the connection's signing key.",
    cure: 'The operator checks key id, issuer id and key file, and whether the key was revoked.',
  },
  upstream_malformed: {
    type: 'upstream_error',
    status: 502,
    summary: 'The platform sent an answer that cannot be trusted, so nothing of it is passed on.',
    cure: 'Try again. If it stays, the operator finds the reason in the log under the request id.',
    retryable: true,
  },
  upstream_failed: {
    type: 'upstream_error',
    status: 502,
    summary: 'The platform answered with an error of its own.',
    cure: 'Try again later.',
    retryable: true,
  },
  upstream_unavailable: {
    type: 'upstream_error',
    status: 503,
    summary: 'The platform cannot be reached.',
    cure: 'Try again later.',
    retryable: true,
  },
  upstream_timeout: {
    type: 'upstream_error',
    status: 504,
    summary: 'The platform did not answer in time.',
    cure: 'Try again, with a smaller `limit` if the page is large.',
    retryable: true,
  },
  store_unavailable: {
    type: 'overloaded',
    status: 503,
    summary: 'The store cannot be read or written at the moment.',
    cure: 'Try again in a moment. If it stays, the operator checks the disk and the log.',
    retryable: true,
  },
  audit_behind: {
    type: 'overloaded',
    status: 503,
    summary: 'Reads of this caller come faster than the audit can be written.',
    cure: 'Wait for the seconds in `Retry-After`, and ask less often.',
    retryable: true,
  },
  too_busy: {
    type: 'overloaded',
    status: 503,
    summary: 'The service has more to do than it can hold, for this connection or at all.',
    cure: 'Wait for the seconds in `Retry-After` (`retryAfterSec` for agents and the client), and ask for less at once.',
    retryable: true,
  },
  too_many_failures: {
    type: 'rate_limited',
    status: 429,
    summary: 'Too many requests with a bad key came from this network.',
    cure: 'Wait for the seconds in `Retry-After` (`retryAfterSec` for agents and the client), and compare the key with the one that the operator handed out.',
    retryable: true,
  },
  connection_unreadable: {
    type: 'overloaded',
    status: 503,
    summary: "The connection's stored credential cannot be opened.",
    cure: 'The operator finds the reason in the log under the request id: a master key is missing, or the row was altered.',
  },
  stopping: {
    type: 'overloaded',
    status: 503,
    summary: 'The service is shutting down.',
    cure: 'Try again in a moment.',
    retryable: true,
  },
  operator_token_missing: {
    type: 'unauthorized',
    status: 401,
    summary: "The operator's token is required.",
    cure: 'Send it as `Authorization: Bearer <token>`. It is what `VITRINE_OPERATOR_TOKEN` or the file of `operatorTokenFile` holds; where neither is set, nobody is let in.',
    operator: true,
  },
  operator_token_invalid: {
    type: 'unauthorized',
    status: 401,
    summary: "The operator's token is not valid.",
    cure: 'Compare it with `VITRINE_OPERATOR_TOKEN` or the file of `operatorTokenFile`; where neither is set, nobody is let in. Facade keys open the public door alone.',
    operator: true,
  },
  operator_locked_out: {
    type: 'rate_limited',
    status: 429,
    summary: 'Too many wrong tokens came from this address.',
    cure: 'Send the right token: it is let in all the same. Others are not looked at for the seconds in `Retry-After`.',
    retryable: true,
    operator: true,
  },
  session_missing: {
    type: 'unauthorized',
    status: 401,
    summary: 'Nobody is signed in here.',
    cure: "Sign in with the operator's token: the console asks for it, and so does `POST /operator/v1/session`.",
    operator: true,
  },
  session_ended: {
    type: 'unauthorized',
    status: 401,
    summary: 'The session has ended.',
    cure: 'Sign in again. A session ends after 30 minutes without an act, after 12 hours, when its token is taken out, and, where no Redis keeps it, when the service starts again.',
    operator: true,
  },
  session_unknown: {
    type: 'unauthorized',
    status: 401,
    summary: 'Redis, where the replicas keep sessions, does not answer, and this replica has not heard of this one.',
    cure: 'Sign in again at this replica, or wait until Redis is back: then the session goes on.',
    operator: true,
  },
  csrf_missing: {
    type: 'forbidden',
    status: 403,
    summary: 'The request came with the cookie of a session, and without the token that only its own page knows.',
    cure: 'Send `csrf` of `GET /operator/v1/session` as `X-Vitrine-Csrf`. Somebody who signed in again in the same browser has another one.',
    operator: true,
  },
  operation_not_allowed: {
    type: 'method_not_allowed',
    status: 405,
    summary: 'This path does not take this method.',
    cure: 'Use one of the methods in `details.allowed`.',
    operator: true,
  },
  malformed_body: {
    type: 'invalid_request',
    status: 400,
    summary: 'The body is not one JSON object.',
    cure: 'Send a JSON object of at most 64 kB, with `Content-Type: application/json`.',
    agents: true,
  },
  member_invalid: {
    type: 'invalid_request',
    status: 400,
    summary: 'A member of the request is missing, unknown or wrong.',
    cure: 'Change the member named in `param`.',
    operator: true,
  },
  connection_unknown: {
    type: 'resource_not_found',
    status: 404,
    summary: 'There is no such connection.',
    cure: 'Compare the id with `vitrine connections list`.',
    operator: true,
  },
  key_unknown: {
    type: 'resource_not_found',
    status: 404,
    summary: 'There is no such facade key.',
    cure: 'Compare the id with `vitrine keys list`. The id is the second part of a key.',
    operator: true,
  },
  connection_exists: {
    type: 'conflict',
    status: 409,
    summary: 'A connection with this id is there already.',
    cure: 'Choose another id, replace its credentials, or remove it first.',
    operator: true,
  },
  connection_managed: {
    type: 'conflict',
    status: 409,
    summary: 'This connection is kept in the settings, not in the store.',
    cure: 'Change it in the settings file: running services read it again by themselves.',
    operator: true,
  },
  connection_changed: {
    type: 'conflict',
    status: 409,
    summary: 'Somebody else changed this connection at the same moment.',
    cure: 'Look at it again, then repeat what is still wanted.',
    retryable: true,
    operator: true,
  },
  key_not_live: {
    type: 'conflict',
    status: 409,
    summary: 'The facade key is revoked, has expired, or has handed over to a successor already.',
    cure: 'Make a new key, or hand over the successor; one that nobody received is revoked first.',
    operator: true,
  },
  vault_closed: {
    type: 'conflict',
    status: 409,
    summary: 'Without a master key no credential is stored.',
    cure: 'Make one with `vitrine vault new-key`, put it into `VITRINE_MASTER_KEYS` or the file of `masterKeysFile`, keep a copy in a safe place, and start again.',
    operator: true,
  },
  doctor_busy: {
    type: 'conflict',
    status: 409,
    summary: 'An examination is under way, and there is one at a time.',
    cure: 'Wait for its end, which `GET /operator/v1/doctor` tells, or stop it with `DELETE /operator/v1/doctor`.',
    retryable: true,
    operator: true,
  },
  private_key_unusable: {
    type: 'invalid_request',
    status: 422,
    summary: 'The private key cannot be used.',
    cure: 'Send the .p8 file of the platform as it was downloaded: a P-256 private key.',
    operator: true,
  },
  credential_refused: {
    type: 'invalid_request',
    status: 422,
    summary: 'The platform does not accept this signing key, so nothing was stored.',
    cure: 'Compare key id and issuer id with the page where the key was made, and see that it was not revoked there.',
    operator: true,
  },
  internal_error: {
    type: 'internal_error',
    status: 500,
    summary: 'The service failed.',
    cure: 'This is a defect: please report it with the request id.',
    retryable: true,
  },
  malformed_request: {
    type: 'bad_request',
    status: 400,
    summary: 'The HTTP request is malformed.',
    cure: 'Send one well-formed HTTP/1.1 request with one Host field.',
  },
  ambiguous_header: {
    type: 'bad_request',
    status: 400,
    summary: 'A header field that must stand alone is given twice.',
    cure: 'Send Host and Authorization once.',
  },
  host_not_allowed: {
    type: 'bad_request',
    status: 421,
    summary: 'This port listens on loopback, and does not answer to the name that the request is for.',
    cure: 'Ask for `localhost` or `127.0.0.1`. Where a proxy passes on another name, the operator sets `publicUrl`, or `operatorUrl` for the console.',
  },
  content_not_allowed: {
    type: 'bad_request',
    status: 400,
    summary: 'The request has a body.',
    cure: 'Reading takes no content: send no body, no Content-Length and no Transfer-Encoding.',
  },
  request_timeout: {
    type: 'request_timeout',
    status: 408,
    summary: 'The request did not arrive in time.',
    cure: 'Send the whole request within 5 seconds.',
    retryable: true,
  },
  payload_too_large: {
    type: 'payload_too_large',
    status: 413,
    summary: 'The request has too much content.',
    cure: 'Send at most 64 kB, and nothing at all where only GET and HEAD are taken.',
  },
  uri_too_long: {
    type: 'uri_too_long',
    status: 414,
    summary: 'The request target is longer than 8,192 bytes.',
    cure: 'Shorten the query.',
  },
  expectation_failed: {
    type: 'expectation_failed',
    status: 417,
    summary: 'The Expect field cannot be met.',
    cure: 'Leave the Expect field out.',
  },
  headers_too_large: {
    type: 'headers_too_large',
    status: 431,
    summary: 'The request has too many or too large header fields.',
    cure: 'Send at most 100 fields and 16 kB of them.',
  },
  version_not_supported: {
    type: 'bad_request',
    status: 505,
    summary: 'This HTTP version is not spoken here.',
    cure: 'Use HTTP/1.1.',
  },
} as const satisfies Record<string, Row>

export type ProblemCode = keyof typeof table

export const problems: Readonly<Record<ProblemCode, Row>> = table

/** what whoever reads a route can meet */
export const readerCodes = (Object.keys(problems) as ProblemCode[]).filter(
  (code) => !problems[code].operator && !problems[code].agents,
)

/** what happened and what to do, as one text without markup */
const messageOf = (code: ProblemCode): string => `${problems[code].summary} ${problems[code].cure}`.replaceAll('`', '')

export interface ProblemExtras {
  /** replaces the table's words; fixed words and our own names only, never the platform's text */
  message?: string
  /** the parameter at fault */
  param?: string
  details?: Record<string, unknown>
  retryAfterSec?: number
  /** for the log, never for the caller */
  cause?: unknown
}

/** A refusal on its way to the caller. Everything in it but `cause` is fit to be read by them. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly extras: ProblemExtras

  constructor(code: ProblemCode, extras: ProblemExtras = {}) {
    super(extras.message ?? messageOf(code), { cause: extras.cause })
    this.name = 'Problem'
    this.code = code
    this.extras = extras
  }

  get row(): Row {
    return problems[this.code]
  }
}

/** what callers are told of it; `requestId`: of the request that it answers */
export function errorOf({ code, message, row, extras: { param, details } }: Problem, requestId?: string) {
  return {
    ...{ type: row.type, code, message, ...(requestId !== undefined && { requestId }) },
    ...{ retryable: row.retryable === true, docUrl: `/errors/${code}` },
    ...(param !== undefined && { param }),
    ...(details && { details }),
  }
}

/** an answer of the platform that breaks its own rules; `why` is for the log */
export const malformed = (why: string): Problem => new Problem('upstream_malformed', { cause: why })
