// Every way an answer of this service can fail, in the order of the documentation, which reads this table.
// Long because it is a table.
import {
  type ProblemCode as HttpProblemCode,
  httpProblems as http,
  Problem as HttpProblem,
  problemsOf,
  type ProblemRow,
} from '../../base/core/problem.ts'
import type { Signal } from '../../base/core/abort.ts'
import { product } from './product.ts'

export type { ProblemExtras } from '../../base/core/problem.ts'

const { name } = product
const operatorRealm = `${name} operator`

const invalidQuery = problemsOf('invalid_query', 400)
const unauthorized = problemsOf('unauthorized', 401, { realm: name })
const forbiddenUpstream = problemsOf('upstream_forbidden', 403)
const notFound = problemsOf('resource_not_found', 404)
const conflict = problemsOf('conflict', 409, { operator: true })
const refusedKey = problemsOf('invalid_request', 422, { operator: true })
const rateLimited = problemsOf('rate_limited', 429, { retryable: true })

const table = {
  unknown_parameter: http.unknown_parameter,
  repeated_parameter: http.repeated_parameter,
  empty_parameter: http.empty_parameter,
  malformed_query: http.malformed_query,
  value_not_allowed: http.value_not_allowed,
  request_too_long: invalidQuery(
    'The request to the platform would be longer than the 4,096 bytes it accepts.',
    'Shorten the filters, or ask in several requests.',
  ),
  cursor_invalid: http.cursor_invalid,
  cursor_mismatch: {
    ...http.cursor_mismatch,
    summary:
      'The cursor belongs to another connection, route, parent, filter or ordering, or the localization was replaced.',
    cure: 'Start again at the first page. Between pages only `limit` and `fields` may change.',
  },
  cursor_expired: invalidQuery(
    'The cursor is too old.',
    'Start again at the first page, without a cursor. A cursor is valid for 24 hours.',
  ),
  platform_refused_value: invalidQuery(
    'The platform does not accept the value of a parameter.',
    'Change or leave out the parameter named in `param`.',
  ),
  key_missing: unauthorized(
    'A facade key is required.',
    'Send it as `Authorization: Bearer <key>`. The operator creates one with `vitrine keys create`. The reference at /docs needs no key.',
  ),
  key_invalid: unauthorized(
    'The facade key is not valid.',
    'Check that it was copied completely. The answer is the same for a mistyped, unknown, expired or revoked key: ask the operator for a new one.',
    { invalidToken: true },
  ),
  group_not_granted: problemsOf('forbidden', 403)(
    'The facade key may not read this group of routes.',
    'Ask the operator for a key with the group named in `details.group`.',
  ),
  personal_not_granted: problemsOf('forbidden', 403)(
    'The facade key may not read personal data.',
    'Leave out the field, sort key or filter that the message names, or ask the operator for a key with the grant `personal` (`vitrine keys create --personal`).',
  ),
  route_not_for_apps: problemsOf('forbidden', 403)(
    'The facade key is for some apps, and this route cannot be limited to them.',
    'Ask the operator for a key without `--apps`; the message says why the route cannot be limited.',
  ),
  origin_not_allowed: http.origin_not_allowed,
  upstream_forbidden: forbiddenUpstream(
    "The connection's signing key may not read this resource.",
    'The operator gives the signing key a role that may read it.',
  ),
  upstream_agreement_missing: forbiddenUpstream(
    'The platform refuses every call of this account until an agreement is accepted.',
    'The account holder accepts the pending agreement at the platform.',
    { outcome: 'agreement_missing' },
  ),
  route_not_found: notFound(
    'There is no such route.',
    'Compare the path with the reference at /docs. There is no fallback to routes under /legacy.',
  ),
  connection_not_found: notFound(
    'There is no such connection for this key.',
    'Check the connection id, and ask the operator which connections the key may read.',
  ),
  resource_not_found: notFound(
    'The resource or its parent does not exist in this connection.',
    'Check the ids in the path, and that the child belongs to the parent.',
  ),
  localization_not_found: problemsOf('localization_not_found', 404)(
    'The parent has no localization for exactly this locale.',
    'Locales are compared byte for byte, without a fallback: `en-US` is neither `en` nor `en-us`.',
  ),
  method_not_allowed: {
    ...http.method_not_allowed,
    summary: 'This service only reads.',
    cure: 'Use GET or HEAD. Only agents send POST, to `/mcp`.',
  },
  ambiguous_selection: problemsOf('ambiguous_selection', 409)(
    'The parent has more than one localization for this locale.',
    'Remove the duplicate at the platform; the service does not choose for you.',
  ),
  key_rate_limited: rateLimited(
    'The facade key has used up its requests for this minute.',
    'Wait for the seconds in `Retry-After` (`retryAfterSec` for agents and the client).',
  ),
  key_budget_spent: rateLimited(
    'The facade key has used up its platform calls for this hour.',
    'Wait for the seconds in `Retry-After` (`retryAfterSec` for agents and the client). Answers that are cached or under way are still given. The operator sets the budget: `vitrine keys create --platform-calls-per-hour`.',
  ),
  upstream_rate_limited: rateLimited(
    "The platform's quota for this connection is used up.",
    'Wait for the seconds in `Retry-After` (`retryAfterSec` for agents and the client) if it is given, otherwise for a few minutes: the platform counts over a rolling hour.',
    { outcome: 'rate_limited' },
  ),
  upstream_key_rejected: problemsOf('upstream_error', 502)(
    "The platform does not accept the connection's signing key.",
    'The operator checks key id, issuer id and key file, and whether the key was revoked.',
    { outcome: 'key_rejected' },
  ),
  upstream_malformed: problemsOf('upstream_error', 502)(
    'The platform sent an invalid answer, so no part of it is returned.',
    'Try again. If it stays, the operator finds the reason in the log under the request id.',
    { retryable: true, outcome: 'malformed' },
  ),
  upstream_failed: problemsOf('upstream_error', 502)(
    'The platform answered with an error of its own.',
    'Try again later.',
    { retryable: true, outcome: 'failed' },
  ),
  upstream_unavailable: problemsOf('upstream_error', 503)('The platform cannot be reached.', 'Try again later.', {
    retryable: true,
    outcome: 'unavailable',
  }),
  upstream_timeout: problemsOf('upstream_error', 504)(
    'The platform did not answer in time.',
    'Try again, with a smaller `limit` if the page is large.',
    { retryable: true, outcome: 'timeout' },
  ),
  store_unavailable: http.store_unavailable,
  audit_behind: http.audit_behind,
  too_busy: http.too_busy,
  too_many_failures: http.too_many_failures,
  connection_unreadable: problemsOf('overloaded', 503)(
    "The connection's stored credential cannot be opened.",
    'The operator finds the reason in the log under the request id: a master key is missing, or the row was altered.',
  ),
  stopping: http.stopping,
  operator_token_missing: {
    ...http.operator_token_missing,
    cure: 'Send it as `Authorization: Bearer <token>`. It is what `VITRINE_OPERATOR_TOKEN` or the file of `operatorTokenFile` holds. If neither is set, every token is refused.',
    realm: operatorRealm,
  },
  operator_token_invalid: {
    ...http.operator_token_invalid,
    cure: 'Compare it with `VITRINE_OPERATOR_TOKEN` or the file of `operatorTokenFile`. If neither is set, every token is refused. Facade keys work at the public endpoint only.',
    realm: operatorRealm,
  },
  operator_locked_out: http.operator_locked_out,
  session_missing: {
    ...http.session_missing,
    cure: "Sign in with the operator's token: the console asks for it, and so does `POST /operator/v1/session`.",
    realm: operatorRealm,
  },
  session_ended: {
    ...http.session_ended,
    realm: operatorRealm,
  },
  session_unknown: {
    ...http.session_unknown,
    realm: operatorRealm,
  },
  sign_in_unknown: problemsOf('invalid_request', 400, { operator: true })(
    'This browser began no such sign-in.',
    'Begin again in the console. An answer of the provider counts once, within ten minutes, in the browser that asked for it.',
  ),
  sign_in_refused: {
    ...http.session_missing,
    summary: 'The provider did not confirm who is signing in.',
    cure: 'Begin again in the console. If it persists, the log of the service has the reason; an operator token works in any case.',
    realm: operatorRealm,
  },
  role_missing: problemsOf('forbidden', 403, { operator: true })(
    'The provider gives this person no role here.',
    'The person who manages the provider adds them to a group or role that `oidc.roles` names.',
  ),
  role_insufficient: problemsOf('forbidden', 403, { operator: true })(
    "The operator's role does not allow this.",
    'Ask somebody with the role in `details.needed`: a viewer reads, a key manager also changes keys, an administrator does everything.',
  ),
  provider_unavailable: problemsOf('overloaded', 503, { operator: true, retryable: true })(
    'The OpenID Connect provider cannot be used at the moment.',
    'Try again in a moment, or sign in with an operator token. The log of the service has the reason.',
  ),
  csrf_missing: {
    ...http.csrf_missing,
    cure: 'Send `csrf` of `GET /operator/v1/session` as `X-Vitrine-Csrf`. Signing in again in the same browser changes it.',
  },
  operation_not_allowed: http.operation_not_allowed,
  malformed_body: http.malformed_body,
  member_invalid: http.member_invalid,
  connection_unknown: notFound('There is no such connection.', 'Compare the id with `vitrine connections list`.', {
    operator: true,
  }),
  key_unknown: notFound(
    'There is no such facade key.',
    'Compare the id with `vitrine keys list`. The id is the second part of a key.',
    { operator: true },
  ),
  connection_exists: conflict(
    'A connection with this id is there already.',
    'Choose another id, replace its credentials, or remove it first.',
  ),
  connection_managed: conflict(
    'This connection is defined in the settings, not in the store.',
    'Change it in the settings file. A running service reads the file again by itself.',
  ),
  connection_changed: conflict(
    'Somebody else changed this connection at the same moment.',
    'Read it again, then repeat the change if it is still needed.',
    { retryable: true },
  ),
  key_not_live: conflict(
    'The facade key is revoked or expired, or already has a successor.',
    'Create a new key, or use the successor. If nobody received the successor, revoke it first.',
  ),
  vault_closed: conflict(
    'There is no master key, so no credential can be stored.',
    'Create one with `vitrine vault new-key`, put it into `VITRINE_MASTER_KEYS` or the file of `masterKeysFile`, keep a copy in a safe place, and restart the service.',
  ),
  doctor_busy: conflict(
    'The doctor is already running; it runs once at a time.',
    'Wait until `GET /operator/v1/doctor` shows that it has ended, or stop it with `DELETE /operator/v1/doctor`.',
    { retryable: true },
  ),
  private_key_unusable: refusedKey(
    'The private key cannot be used.',
    'Send the .p8 file exactly as it was downloaded from the platform: a P-256 private key.',
  ),
  credential_refused: refusedKey(
    'The platform does not accept this signing key, so nothing was stored.',
    'Compare key id and issuer id with the API keys page of the platform, and check that the key was not revoked.',
  ),
  internal_error: http.internal_error,
  malformed_request: http.malformed_request,
  ambiguous_header: http.ambiguous_header,
  host_not_allowed: {
    ...http.host_not_allowed,
    cure: 'Use `localhost` or `127.0.0.1`. If a proxy passes on another name, the operator sets `publicUrl`, or `operatorUrl` for the console.',
  },
  content_not_allowed: http.content_not_allowed,
  request_timeout: http.request_timeout,
  payload_too_large: http.payload_too_large,
  uri_too_long: http.uri_too_long,
  expectation_failed: http.expectation_failed,
  headers_too_large: http.headers_too_large,
  version_not_supported: http.version_not_supported,
} satisfies Readonly<Record<HttpProblemCode, ProblemRow>> & Readonly<Record<string, ProblemRow>>

export type ProblemCode = keyof typeof table
/** The first eight that the table names are the contract's closed list; the rest are ours. */
export type ProblemType = (typeof table)[ProblemCode]['type']

interface Row extends ProblemRow {
  readonly type: ProblemType
}

export const problems: Readonly<Record<ProblemCode, Row>> = table
HttpProblem.rows = problems

/** the same class, for the codes of this service */
export const Problem = HttpProblem<ProblemCode>
export type Problem = HttpProblem<ProblemCode>

/** what a caller that reads a route can meet */
export const readerCodes = (Object.keys(problems) as ProblemCode[]).filter(
  (code) => !problems[code].operator && !problems[code].agents,
)

/** an answer of the platform that breaks its own rules; `why` is for the log */
export const malformed = (why: string): Problem => new Problem('upstream_malformed', { cause: why })

/** of a read that was aborted: the cause is the deadline, or a caller who has left */
export const problemOfAbort = ({ reason }: Signal): Problem =>
  new Problem('upstream_timeout', { cause: reason instanceof Error ? reason.name : 'aborted' })
