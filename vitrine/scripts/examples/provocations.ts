// How each error is brought about, as requests over the sandbox. What stands in braces is filled in when they are sent.
// Long because it is a table: a code that is not in it has no request that surely brings it about.
import type { ProblemCode } from '../../src/problems.ts'
import type { Circumstances } from './example-service.ts'

export interface Provocation {
  readonly asked: string
  /** in words, for the page: "with …" */
  readonly under?: string
  readonly circumstances?: Circumstances
  /** sent before it; the first answer fills `{nextCursor}` and `{secret of the cookie}` */
  readonly before?: readonly string[]
  readonly hoursLater?: number
}

const host = 'Host: 127.0.0.1:8080'
const authorization = 'Authorization: Bearer {key}'
const lines = (...all: string[]): string => all.join('\n')

const demo = '/v1/connections/demo'
const ask = (target: string, ...fields: string[]): string =>
  lines(`GET ${target} HTTP/1.1`, host, authorization, ...fields)
const get = (path: string, ...fields: string[]): string => ask(`${demo}${path}`, ...fields)

const operatorHost = 'Host: 127.0.0.1:8081'
const manage = (method: string, path: string, body?: unknown): string =>
  lines(
    `${method} /operator/v1${path} HTTP/1.1`,
    operatorHost,
    'Authorization: Bearer {operator token}',
    ...(body === undefined ? [] : ['Content-Type: application/json', 'Content-Length: {length}']),
    ...(body === undefined ? [] : ['', typeof body === 'string' ? body : JSON.stringify(body)]),
  )

const signIn = manage('POST', '/session', { token: '{operator token}' }).replace(/^Authorization.*\n/m, '')
const byCookie = (method: string, path: string, secret: string): string =>
  lines(`${method} /operator/v1${path} HTTP/1.1`, operatorHost, `Cookie: vitrine_session_8081=${secret}`)

const troubled = (rule: string): Pick<Provocation, 'circumstances' | 'under'> => ({
  circumstances: { trouble: [rule] },
  under: `of a platform in trouble, \`vitrine sandbox --trouble ${rule}\``,
})

const overview = '/apps/6446998001/performance-overviews'
const screenshots = '/events/3f0c1b52-8a64-4e5e-9d10-0e0000000003/localizations/en/event-screenshots/ids'
const hosted = (keyId: string, privateKey: string) => ({ id: 'studio', keyId, issuerId: '{issuer id}', privateKey })
const withVault: Circumstances = { masterKeys: true }

export const provocations: { readonly [K in ProblemCode]?: Provocation } = {
  unknown_parameter: { asked: get('/apps?nmae=Tidal') },
  repeated_parameter: { asked: get('/apps?limit=1&limit=2') },
  empty_parameter: { asked: get('/apps?name=') },
  malformed_query: { asked: get('/apps?name=%E0%A4%A') },
  value_not_allowed: { asked: get('/apps?limit=500') },
  request_too_long: { asked: get('/apps?name={4000 letters}') },
  cursor_invalid: { asked: get('/apps?cursor=abc') },
  cursor_mismatch: {
    asked: get('/apps?limit=2&sort=name&cursor={nextCursor}'),
    before: [get('/apps?limit=2')],
    under: 'with the cursor of `/apps?limit=2`',
  },
  cursor_expired: {
    asked: get('/apps?limit=2&cursor={nextCursor}'),
    before: [get('/apps?limit=2')],
    hoursLater: 25,
    under: 'with a cursor of 25 hours ago',
  },
  key_missing: { asked: lines(`GET ${demo}/apps HTTP/1.1`, host) },
  key_invalid: { asked: lines(`GET ${demo}/apps HTTP/1.1`, host, 'Authorization: Bearer vtr_live_mistyped') },
  group_not_granted: {
    asked: get(overview),
    circumstances: { groups: ['apps'] },
    under: 'with a key that has the group `apps` alone',
  },
  personal_not_granted: {
    asked: get('/apps/6446998001/beta-feedback-screenshot-submissions?fields=createdDate,email'),
    circumstances: { personal: false },
    under: 'with a key without the grant `personal`',
  },
  route_not_for_apps: {
    asked: get('/featuring-nominations/a1d3c5e7-2b4f-4608-8a9c-0e0000000016'),
    circumstances: { apps: ['6446998001'] },
    under: 'with a key for one app',
  },
  origin_not_allowed: {
    asked: lines(
      'POST /mcp HTTP/1.1',
      host,
      authorization,
      'Origin: https://elsewhere.example',
      'Content-Type: application/json',
      'Content-Length: {length}',
      '',
      '{}',
    ),
  },
  upstream_forbidden: { asked: get('/apps'), ...troubled('403') },
  upstream_agreement_missing: { asked: get('/apps'), ...troubled('agreement') },
  route_not_found: { asked: get('/aps') },
  connection_not_found: { asked: ask('/v1/connections/nobody/apps') },
  resource_not_found: { asked: get('/apps/1/performance-overviews') },
  localization_not_found: { asked: get(screenshots) },
  method_not_allowed: { asked: lines(`DELETE ${demo}/apps HTTP/1.1`, host, authorization) },
  key_rate_limited: {
    asked: get('/apps'),
    circumstances: { perMinute: 1 },
    before: [get('/apps')],
    under: 'with a key of one request a minute, for the second time',
  },
  key_budget_spent: {
    asked: get('/apps?limit=2'),
    circumstances: { platformCallsPerHour: 1 },
    before: [get('/apps?limit=1')],
    under: 'with a key of one platform call an hour, for the second call',
  },
  upstream_rate_limited: { asked: get('/apps'), ...troubled('429=30') },
  upstream_key_rejected: { asked: get('/apps'), ...troubled('401') },
  upstream_malformed: { asked: get('/apps'), ...troubled('malformed') },
  upstream_failed: { asked: get('/apps'), ...troubled('500') },
  upstream_unavailable: { asked: get('/apps'), ...troubled('503') },
  upstream_timeout: {
    asked: get('/apps'),
    circumstances: { trouble: ['hang'], settings: { upstream: { timeoutMs: 100 } } },
    under: 'of a platform that does not answer, `vitrine sandbox --trouble hang`',
  },
  too_busy: {
    asked: get('/apps'),
    circumstances: { settings: { limits: { requests: 1 }, upstream: { timeoutMs: 20_000 } }, trouble: ['hang'] },
    before: [get('/apps')],
    under: 'of a service with `limits.requests` at 1, beside a request that is still answered',
  },
  too_many_failures: {
    asked: lines(`GET ${demo}/apps HTTP/1.1`, host, 'Authorization: Bearer vtr_live_mistyped'),
    circumstances: { settings: { rateLimit: { failuresPerMinute: 1 } } },
    before: [lines(`GET ${demo}/apps HTTP/1.1`, host, 'Authorization: Bearer vtr_live_mistyped')],
    under: 'of a service with `rateLimit.failuresPerMinute` at 1, for the second time',
  },
  malformed_request: { asked: lines(`GET ${demo}/apps HTTP/1.1`, authorization), under: 'without a Host field' },
  ambiguous_header: { asked: get('/apps', host) },
  content_not_allowed: { asked: lines(get('/apps', 'Content-Length: {length}'), '', 'hello') },
  payload_too_large: { asked: manage('POST', '/keys', { note: '{70000 letters}' }) },
  uri_too_long: { asked: get('/apps?name={9000 letters}') },
  host_not_allowed: { asked: lines(`GET ${demo}/apps HTTP/1.1`, 'Host: rebound.example', authorization) },
  expectation_failed: { asked: get('/apps', 'Expect: 100-continue') },
  headers_too_large: { asked: get('/apps', 'X-Note: {17000 letters}') },
  version_not_supported: { asked: lines(`GET ${demo}/apps HTTP/2.0`, host, authorization) },
  operator_token_missing: { asked: lines('GET /operator/v1/keys HTTP/1.1', operatorHost) },
  operator_token_invalid: {
    asked: lines('GET /operator/v1/keys HTTP/1.1', operatorHost, 'Authorization: Bearer not-the-token'),
  },
  operator_locked_out: {
    asked: lines('GET /operator/v1/keys HTTP/1.1', operatorHost, 'Authorization: Bearer not-the-token'),
    before: Array.from({ length: 10 }, () =>
      lines('GET /operator/v1/keys HTTP/1.1', operatorHost, 'Authorization: Bearer not-the-token'),
    ),
    under: 'behind ten wrong tokens',
  },
  session_missing: { asked: lines('GET /operator/v1/session HTTP/1.1', operatorHost) },
  session_ended: { asked: byCookie('GET', '/session', 'of-an-earlier-session') },
  csrf_missing: {
    asked: byCookie('DELETE', '/session', '{secret of the cookie}'),
    before: [signIn],
    under: 'with the cookie that signing in gave',
  },
  operation_not_allowed: { asked: manage('PATCH', '/keys') },
  malformed_body: { asked: manage('POST', '/keys', '{"name": ') },
  member_invalid: { asked: manage('POST', '/keys', {}) },
  connection_unknown: { asked: manage('GET', '/connections/nobody') },
  key_unknown: { asked: manage('GET', '/keys/0123456789ab') },
  connection_exists: {
    asked: manage('POST', '/connections', hosted('{key id}', '{private key}')),
    before: [manage('POST', '/connections', hosted('{key id}', '{private key}'))],
    circumstances: withVault,
    under: 'for the second time',
  },
  connection_managed: { asked: manage('DELETE', '/connections/demo') },
  key_not_live: {
    asked: manage('POST', '/keys/{facade key id}/reroll', {}),
    before: [manage('DELETE', '/keys/{facade key id}')],
    under: 'for a key that was revoked',
  },
  vault_closed: {
    asked: manage('POST', '/connections', hosted('{key id}', '{private key}')),
    under: 'without a master key',
  },
  doctor_busy: {
    asked: manage('POST', '/doctor', {}),
    before: [manage('POST', '/doctor', {})],
    under: 'while an examination is under way',
  },
  private_key_unusable: {
    asked: manage('POST', '/connections', hosted('{key id}', 'not a key')),
    circumstances: withVault,
  },
  credential_refused: {
    asked: manage('POST', '/connections', hosted('NOSUCHKEY1', '{private key}')),
    circumstances: withVault,
  },
}
