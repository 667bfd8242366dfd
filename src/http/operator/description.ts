// The OpenAPI 3.1 description of the operator's door, derived from its table.
import { Problem, type ProblemCode, type ProblemExtras, problems } from '../../problem.ts'
import { answerSchemas } from './answers.ts'
import { anyWay, entryCodesOf, securityOf, securitySchemes } from './described-entry.ts'
import { base, type Operation, type Subject } from './operation.ts'
import { operations } from './table.ts'

type Node = Record<string, unknown>

const about = `Management of a Vitrine service: connections, facade keys, the state of the vault, the audit, how it stands. The operator's token opens it,
and facade keys do not. The console signs in with that token and keeps a session of its own: a cookie, and beside it \`X-Vitrine-Csrf\`. Requests and answers are JSON; times are ISO 8601 in UTC; what is unknown is null.

A list comes in pages: pass \`nextCursor\` back as \`cursor\` until it is null. Every change is in the audit, and so is every
refusal of one. No credential is ever given back, and a facade key is shown once, when it is made.`

const tags: Readonly<Record<Operation['tag'] | 'service', string>> = {
  connections: 'Store accounts: managed ones of the settings file, and hosted ones of the store.',
  keys: 'Facade keys: what callers of the public door hold.',
  vault: 'Master keys of hosted connections.',
  audit: 'Who did what, and what was refused.',
  status: 'How the service and its connections stand.',
  session: 'Who is signed in to the console. Browsers alone need these: programs send their token with each request.',
  reads: 'The routes of the public door as they can be asked, and reads through any connection.',
  doctor: 'The installation looked over, with cause and cure of what is ill.',
  service: 'The service itself. These need no token.',
}

const ref = (kind: string, name: string): Node => ({ $ref: `#/components/${kind}/${name}` })
const json = (schema: Node, more: Node = {}): Node => ({ 'application/json': { schema, ...more } })
const requestId = { 'X-Request-Id': ref('headers', 'RequestId') }

/** what any operation can meet, by what it takes */
function codesOf(operation: Operation): ProblemCode[] {
  const { query, body, refusals } = operation
  return [
    ...entryCodesOf(operation),
    ...(['malformed_request', 'ambiguous_header', 'unknown_parameter', 'malformed_query'] as const),
    ...(['store_unavailable', 'internal_error'] as const),
    ...(query ? (['repeated_parameter', 'empty_parameter', 'value_not_allowed'] as const) : []),
    ...(query && 'cursor' in query ? (['cursor_invalid', 'cursor_mismatch'] as const) : []),
    ...(body ? (['malformed_body', 'payload_too_large', 'request_timeout'] as const) : []),
    ...(body ? [] : (['content_not_allowed'] as const)),
    ...refusals,
  ]
}

/** what is said where the table's words are not the whole answer */
const samples: { readonly [K in ProblemCode]?: ProblemExtras } = {
  unknown_parameter: { message: '"page" is not a parameter of this operation. Allowed: none.', param: 'page' },
  repeated_parameter: { message: '"limit" is given more than once.', param: 'limit' },
  empty_parameter: { message: '"cursor" has no value.', param: 'cursor' },
  value_not_allowed: {
    message: '"limit" is a whole number from 1 to 200.',
    param: 'limit',
    details: { minimum: 1, maximum: 200 },
  },
  cursor_invalid: { param: 'cursor' },
  cursor_mismatch: { param: 'cursor' },
  payload_too_large: { message: 'The body is larger than 65536 bytes.' },
  content_not_allowed: { message: 'The request has content, and this operation takes none: send no body.' },
  member_invalid: {
    message: 'keyId: missing. Id of the signing key at the platform: 1 to 64 letters, digits, dashes or underscores.',
    param: 'keyId',
  },
  private_key_unusable: { message: 'The private key cannot be used: it is truncated or damaged.', param: 'privateKey' },
}

function exampleOf(code: ProblemCode): Node {
  const { type, summary, retryable = false } = problems[code]
  const { message, extras } = new Problem(code, samples[code])
  const { param, details } = extras
  const error = { type, code, message, requestId: 'req_0123456789abcdef', retryable, docUrl: `/errors/${code}` }
  return { summary, value: { error: { ...error, ...(param && { param }), ...(details && { details }) } } }
}

function refusal(status: number, codes: readonly ProblemCode[]): Node {
  const types = [...new Set(codes.map((code) => `\`${problems[code].type}\``))]
  return {
    description: types.join(', '),
    headers: {
      ...requestId,
      ...(status === 401 && { 'WWW-Authenticate': ref('headers', 'Challenge') }),
      ...((status === 429 || status === 503) && { 'Retry-After': ref('headers', 'RetryAfter') }),
    },
    content: json(ref('schemas', 'Problem'), {
      examples: Object.fromEntries(codes.map((code) => [code, ref('examples', code)])),
    }),
  }
}

function refusalsOf(operation: Operation): Node {
  const byStatus = Map.groupBy(codesOf(operation), (code) => problems[code].status)
  const sorted = [...byStatus].sort(([a], [b]) => a - b)
  return {
    ...Object.fromEntries(sorted.map(([status, codes]) => [status, refusal(status, codes)])),
    default: ref('responses', 'Refused'),
  }
}

const idOf: Readonly<Record<Subject, string>> = { connection: 'Id of the connection.', key: 'Id of the facade key.' }

function parametersOf({ path, subject = 'connection', query = {} }: Operation): Node[] {
  const id = { name: 'id', in: 'path', required: true, description: idOf[subject], schema: { type: 'string' } }
  const inQuery = Object.entries(query).map(([name, { description, schema }]) => ({
    ...{ name, in: 'query', required: false, description, schema },
  }))
  return path.includes('{id}') ? [id, ...inQuery] : inQuery
}

function contentOf(answer: Operation['answer']): Node {
  if (answer === 'text') return { 'text/plain': { schema: { type: 'string' } } }
  return answer === 'events' ? { 'text/event-stream': { schema: { type: 'string' } } } : json(ref('schemas', answer))
}

const setCookie = { 'Set-Cookie': ref('headers', 'Cookie') }

function operationOf(operation: Operation): Node {
  const { operationId, summary, description, tag, act, body, bodyExample, status, answer, method } = operation
  const parameters = parametersOf(operation)
  return {
    ...{ operationId, summary, ...(description !== undefined && { description }), tags: [tag], 'x-act': act },
    ...securityOf(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: body.required.length > 0, content: json({ ...body }, { example: bodyExample }) },
    }),
    responses: {
      [status]: {
        description: 'The answer.',
        headers: { ...requestId, ...(tag === 'session' && method !== 'GET' && setCookie) },
        content: contentOf(answer),
      },
      ...refusalsOf(operation),
    },
  }
}

const page = (operationId: string, summary: string, schema: Node): Node => ({
  get: {
    ...{ operationId, summary, tags: ['service'], security: [] },
    responses: {
      200: { description: summary, headers: requestId, content: json(schema) },
      default: ref('responses', 'Refused'),
    },
  },
})

const status = (word: string): Node => ({
  ...{ type: 'object', required: ['status'], properties: { status: { type: 'string', const: word } } },
})

const components = (): Node => ({
  securitySchemes,
  schemas: answerSchemas,
  examples: Object.fromEntries([...new Set(operations.flatMap(codesOf))].map((code) => [code, exampleOf(code)])),
  responses: {
    Refused: {
      description: 'Any other refusal: broken framing, another path, another method.',
      headers: requestId,
      content: json(ref('schemas', 'Problem')),
    },
  },
  headers: {
    RequestId: { description: 'Id of this request, also in the log and the audit.', schema: { type: 'string' } },
    Cookie: { description: 'The cookie of the session, or its end.', schema: { type: 'string' } },
    Challenge: { description: 'How to authenticate: `Bearer`.', schema: { type: 'string' } },
    RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
  },
})

export function describeOperator(): object {
  const byPath = Map.groupBy(operations, ({ path }) => path)
  const paths = [...byPath].map(([path, rows]) => [
    path,
    Object.fromEntries(rows.map((row) => [row.method.toLowerCase(), operationOf(row)])),
  ])
  return {
    openapi: '3.1.1',
    info: {
      ...{ title: "Vitrine, the operator's door", version: '0.1.0', description: about },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: "This service, at the operator's listener." }],
    security: anyWay,
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: {
      ...Object.fromEntries(paths),
      [`${base}/openapi.json`]: page('getDescription', 'This description', { type: 'object' }),
      '/livez': page('getLiveness', 'Whether the process answers', status('ok')),
      '/healthz': page('getHealth', 'Whether the process answers, by an older name', status('ok')),
      '/readyz': page('getReadiness', 'Whether the service should get traffic', status('ready')),
    },
    components: components(),
  }
}
