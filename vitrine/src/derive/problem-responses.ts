// Problems in the OpenAPI document: one response for each status, with the codes that a caller of the route can get.
import type { Route } from '../catalogue/define.ts'
import { queryParameters } from '../catalogue/parameters.ts'
import { appScopeOf } from '../catalogue/ownership.ts'
import { withoutPersonal } from '../catalogue/personal.ts'
import { errorOf } from '../../../base/core/problem.ts'
import { Problem, type ProblemCode, type ProblemExtras, problems, readerCodes } from '../problems.ts'
import type { Schema } from './schema.ts'
import { about, flag, integer, listOf, object, partly, ref, text } from '../../../base/operations/schema.ts'

const codes = readerCodes
/** only for routes with a locale */
const ofLocales = new Set<ProblemCode>(['localization_not_found', 'ambiguous_selection'])
/** malformed requests and other methods, which do not belong to one operation */
const ofAnyRequest = new Set([405, 408, 413, 414, 417, 431, 505])

export const problemSchema: Schema = object({
  error: partly(
    {
      type: { type: 'string', enum: [...new Set(codes.map((code) => problems[code].type))] },
      code: {
        description: 'Finer than the type; more may come.',
        anyOf: [{ type: 'string', enum: codes }, { type: 'string' }],
      },
      message: about(text, 'For people.'),
      requestId: about(text, 'Equal to the X-Request-Id header.'),
      retryable: about(flag, 'Whether the same request may succeed later.'),
      docUrl: { type: 'string', format: 'uri-reference', description: 'A page about this code.' },
    },
    {
      param: about(text, 'The wrong parameter.'),
      details: {
        type: 'object',
        description: 'For programs; more members may come.',
        properties: {
          allowed: about(listOf(text), 'The names or values that are allowed.'),
          nearest: about(text, 'The allowed one that was probably intended.'),
          minimum: integer,
          maximum: integer,
          group: about(text, 'The group of routes that the key lacks.'),
          grant: about(text, 'The grant that the key lacks.'),
        },
      },
    },
  ),
})

/** example details for problems whose text depends on the request */
const samples: { readonly [K in ProblemCode]?: ProblemExtras } = {
  unknown_parameter: {
    message: '"nmae" is not a parameter of this route. Did you mean "name"? Allowed: name, sort, limit, cursor.',
    param: 'nmae',
    details: { allowed: ['name', 'sort', 'limit', 'cursor'], nearest: 'name' },
  },
  repeated_parameter: { message: '"limit" is given more than once.', param: 'limit' },
  empty_parameter: { message: '"name" has no value.', param: 'name' },
  value_not_allowed: {
    message: '"limit" is a whole number from 1 to 200.',
    param: 'limit',
    details: { minimum: 1, maximum: 200 },
  },
  platform_refused_value: { message: 'The platform does not accept this value of "territory".', param: 'territory' },
  cursor_invalid: { param: 'cursor' },
  cursor_mismatch: { param: 'cursor' },
  cursor_expired: { param: 'cursor' },
  group_not_granted: { details: { group: 'feedback' } },
  route_not_for_apps: { message: 'The platform has no list of the videos of an app.' },
  personal_not_granted: {
    message: '"fields" concerns personal data (email), and this key does not have the grant "personal".',
    param: 'fields',
    details: { grant: 'personal' },
  },
}

export const problemBody = (code: ProblemCode): Schema => ({
  error: errorOf(new Problem(code, samples[code]), 'req_0123456789abcdef'),
})

const exampleOf = (code: ProblemCode): Schema => ({ summary: problems[code].summary, value: problemBody(code) })

export const requestId = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }
const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
const challenge = { 'WWW-Authenticate': { $ref: '#/components/headers/Challenge' } }
export const rateHeaders = {
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
}

/** on every answer once the connection is known */
export const upstreamHeaders = {
  'X-Upstream-RateLimit-Limit': { $ref: '#/components/headers/UpstreamRateLimitLimit' },
  'X-Upstream-RateLimit-Remaining': { $ref: '#/components/headers/UpstreamRateLimitRemaining' },
}

/** The key is checked first, then its rate: later refusals report what is left. */
const headersOf = (status: number): Schema => ({
  ...requestId,
  ...(status === 401 ? challenge : { ...rateHeaders, ...upstreamHeaders }),
  ...((status === 429 || status === 503) && retryAfter),
})

function responseOf(status: number, met: readonly ProblemCode[]): Schema {
  const types = [...new Set(met.map((code) => problems[code].type))]
  return {
    description: types.map((type) => `\`${type}\``).join(', '),
    headers: headersOf(status),
    content: {
      'application/json': {
        schema: ref('Problem'),
        examples: Object.fromEntries(met.map((code) => [code, exampleOf(code)])),
      },
    },
  }
}

const ofParameters = new Set<ProblemCode>([
  'repeated_parameter',
  'empty_parameter',
  'value_not_allowed',
  'platform_refused_value',
] as const)
const ofCursors = new Set<ProblemCode>(['cursor_invalid', 'cursor_mismatch', 'cursor_expired'])

/** The codes of one route beyond those of any request, in the order of the table. */
export function refusalCodes(route: Route): readonly ProblemCode[] {
  const kinds = queryParameters(route).map(({ kind }) => kind)
  return codes
    .filter((code) => !ofAnyRequest.has(statusOf(code)) && problems[code].type !== 'bad_request')
    .filter((code) => route.from.resolve !== undefined || !ofLocales.has(code))
    .filter((code) => kinds.length > 0 || !ofParameters.has(code))
    .filter((code) => code !== 'route_not_for_apps' || appScopeOf(route).refused !== undefined)
    .filter((code) => code !== 'personal_not_granted' || withoutPersonal(route) !== route)
    .filter((code) => kinds.includes('cursor') || !ofCursors.has(code))
}

const statusOf = (code: ProblemCode): number => problems[code].status
const nameOf = (status: number, resolved: boolean): string => (resolved ? `Refused${status}Locale` : `Refused${status}`)
const met = (status: number, resolved: boolean): ProblemCode[] =>
  codes.filter((code) => statusOf(code) === status && (resolved || !ofLocales.has(code)))
const isOwn = (status: number): boolean => codes.some((code) => ofLocales.has(code) && statusOf(code) === status)

const statuses = [...new Set(codes.map(statusOf))].filter((status) => !ofAnyRequest.has(status))

export const problemResponses: Schema = Object.fromEntries([
  ...statuses.filter((s) => met(s, false).length > 0).map((s) => [nameOf(s, false), responseOf(s, met(s, false))]),
  ...statuses.filter(isOwn).map((s) => [nameOf(s, true), responseOf(s, met(s, true))]),
  [
    'Refused',
    {
      description: 'Any other error: a malformed request, another method.',
      headers: requestId,
      content: { 'application/json': { schema: ref('Problem') } },
    },
  ],
])

export function refusalsOf(resolved: boolean): Schema {
  const own = statuses.filter((status) => met(status, resolved).length > 0).sort((a, b) => a - b)
  const named = own.map((status) => [status, nameOf(status, resolved && isOwn(status))] as const)
  return Object.fromEntries(
    [...named, ['default', 'Refused'] as const].map(([status, name]) => [
      status,
      { $ref: `#/components/responses/${name}` },
    ]),
  )
}
