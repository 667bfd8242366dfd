// The OpenAPI 3.1 description, derived from the definitions that check requests.
import { about, anyObject } from '../../../base/operations/schema.ts'
import { Problem, problems } from '../problems.ts'
import type { AnswerDefinition, Credential, RouteDefinition, Schemas } from './route.ts'

type Node = Record<string, unknown>

export interface Described {
  readonly title: string
  readonly version: string
  readonly about: string
  readonly publicUrl: string
  readonly cookieName: string
  readonly tags: Readonly<Record<string, string>>
  readonly routes: readonly RouteDefinition[]
  readonly schemas: Schemas
}

const ref = (kind: string, name: string): Node => ({ $ref: `#/components/${kind}/${name}` })
const requestId = { 'X-Request-Id': ref('headers', 'RequestId') }

/** what the checks before a route refuse */
const framingCodes = ['invalid_request', 'internal_error'] as const
const credentialCodes: Readonly<Record<Credential, readonly string[]>> = {
  key: ['unauthorized', 'rate_limited', 'shutting_down'],
  session: ['session_required', 'shutting_down'],
  either: ['unauthorized', 'rate_limited', 'shutting_down'],
  none: [],
}

const changes = ({ method }: RouteDefinition): boolean => method !== 'GET'

/** an addition to the contract: a key, or a session with its token in `Authorization` */
export const takesSession = ({ credential, isForKeysAlone }: RouteDefinition): boolean =>
  !isForKeysAlone && (credential === 'key' || credential === 'either')

export function codesOf(route: RouteDefinition): readonly string[] {
  const { credential, scope, body, streamedBody, makes, withoutCsrf, refusals } = route
  return [
    ...framingCodes,
    ...credentialCodes[credential],
    ...(scope ? ['forbidden'] : []),
    ...(takesSession(route) ? ['session_required', 'csrf_failed'] : []),
    ...(credential === 'session' && changes(route) && !withoutCsrf ? ['csrf_failed'] : []),
    ...(body || streamedBody ? ['too_large', 'unsupported_media_type'] : []),
    ...(makes ? ['idempotency_conflict', 'idempotency_in_progress'] : []),
    ...refusals,
  ]
}

function refusalsOf(route: RouteDefinition): Node {
  const byStatus = Map.groupBy(new Set(codesOf(route)), (code) => problems[code]?.status ?? 500)
  const sorted = [...byStatus].toSorted(([a], [b]) => a - b)
  return Object.fromEntries(
    sorted.map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\``).join(', '),
        headers: {
          ...requestId,
          ...((status === 429 || status === 503) && { 'Retry-After': ref('headers', 'RetryAfter') }),
        },
        content: {
          'application/json': {
            schema: ref('schemas', 'Error'),
            examples: Object.fromEntries(codes.map((code) => [code, ref('examples', code)])),
          },
        },
      },
    ]),
  )
}

function answerOf(answer: AnswerDefinition): Node {
  const { description } = answer
  if ('json' in answer)
    return { description, headers: requestId, content: { 'application/json': { schema: ref('schemas', answer.json) } } }
  if (!('media' in answer)) return { description, headers: requestId }
  return { description, headers: requestId, content: { [answer.media]: { schema: { type: 'string' } } } }
}

/** several media types of one status are one response */
function answersOf({ answers }: RouteDefinition): Node {
  return Object.fromEntries(
    Object.entries(answers).map(([status, definition]) => {
      const all = [definition].flat().map(answerOf)
      const [first = {}] = all
      const content = Object.assign({}, ...all.map((one) => one['content'])) as Node
      return [status, Object.keys(content).length > 0 ? { ...first, content } : first]
    }),
  )
}

function parametersOf({ path, query = {}, makes }: RouteDefinition): Node[] {
  const inQuery = Object.entries(query).map(
    ([name, { description, schema, required = false, isList, isRepeated }]) => ({
      name,
      in: 'query',
      required,
      description,
      ...(isList && { style: 'form', explode: false }),
      ...(isRepeated && { style: 'form', explode: true }),
      schema: isList || isRepeated ? { type: 'array', items: schema } : schema,
    }),
  )
  return [
    ...(path.includes('{id}')
      ? [{ name: 'id', in: 'path', required: true, description: 'The id.', schema: { type: 'string' } }]
      : []),
    ...inQuery,
    ...(makes ? [ref('parameters', 'IdempotencyKey')] : []),
  ]
}

function bodyOf({ body, streamedBody }: RouteDefinition): Node | undefined {
  if (body) {
    const { schema, example } = body
    return { required: true, content: { 'application/json': { schema, ...(example && { example }) } } }
  }
  if (!streamedBody) return undefined
  const { mediaTypes, description, schema } = streamedBody
  const media = mediaTypes.map((type) => [
    type,
    { schema: schema && type === 'application/json' ? schema : { type: 'string' } },
  ])
  return { required: true, description, content: Object.fromEntries(media) }
}

const security: Readonly<Record<Credential, (route: RouteDefinition) => Node[]>> = {
  key: (route) => [
    { apiKey: route.scope ? [route.scope] : [] },
    ...(takesSession(route) ? [{ session: [], sessionToken: [] }] : []),
  ],
  session: (route) => [{ session: [], ...(changes(route) && { csrf: [] }) }],
  either: () => [{ apiKey: [] }, { session: [] }],
  none: () => [],
}

function operationOf(route: RouteDefinition): Node {
  const { operationId, tag, summary, description, credential } = route
  const [parameters, requestBody] = [parametersOf(route), bodyOf(route)]
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    security: security[credential](route),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { ...answersOf(route), ...refusalsOf(route) },
  }
}

const errorSchema: Node = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['type', 'message', 'requestId'],
      properties: {
        type: { type: 'string', description: 'What went wrong, for programs.' },
        message: { type: 'string', description: 'What went wrong and how to fix it, for people.' },
        requestId: { type: 'string' },
        retryable: { type: 'boolean', description: 'Whether the same request may succeed later.' },
        details: about(anyObject, '`field` and `reason` of an invalid request; limits; states.'),
      },
    },
  },
}

const exampleOf = (code: string): Node => {
  const problem = new Problem(code as never)
  return {
    summary: problem.row.summary,
    value: { error: { type: problem.row.type, message: problem.message, requestId: 'req_0123456789abcdef' } },
  }
}

function componentsOf({ routes, schemas, cookieName }: Described): Node {
  const codes = new Set(routes.flatMap(codesOf))
  return {
    securitySchemes: {
      apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer atl_…`.' },
      session: { type: 'apiKey', in: 'cookie', name: cookieName, description: 'A browser session.' },
      sessionToken: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description:
          'An addition to the contract: `Session <csrfToken>` beside the cookie of the session, in place of a key of all scopes. Changes also need the `Origin` of this service.',
      },
      csrf: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token', description: '`csrfToken` of the session.' },
    },
    schemas: { ...schemas, Error: errorSchema },
    parameters: {
      IdempotencyKey: {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        description: 'A repeat with the same key and body gets the first answer again, for 24 hours.',
        schema: { type: 'string', minLength: 1, maxLength: 255 },
      },
    },
    headers: {
      RequestId: { description: 'The id of the request, also in the log.', schema: { type: 'string' } },
      RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
    },
    examples: Object.fromEntries([...codes].map((code) => [code, exampleOf(code)])),
  }
}

export function describeApi(described: Described): Node {
  const { title, version, about, publicUrl, tags, routes } = described
  const byPath = Map.groupBy(routes, ({ path }) => path)
  const paths = [...byPath].map(([path, rows]) => [
    path,
    Object.fromEntries(rows.map((row) => [row.method.toLowerCase(), operationOf(row)])),
  ])
  return {
    openapi: '3.1.1',
    info: { title, version, description: about, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: publicUrl }],
    security: [{ apiKey: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(paths),
    components: componentsOf(described),
  }
}
