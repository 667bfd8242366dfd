// The OpenAPI 3.1 description of a service's operations, derived from their rows.
import { errorOf, Problem, type ProblemExtras } from '../core/problem.ts'
import { accepts, isOpen, type CredentialKind, type OperationRow } from './operation.ts'
import type { AnswerSchema } from './schema.ts'

type Node = Record<string, unknown>

interface SecurityScheme {
  readonly name: string
  readonly scheme: Node
}

export interface DescribedService<Row extends OperationRow> {
  readonly title: string
  readonly version: string
  readonly about: string
  readonly server: string
  readonly tags: Readonly<Record<string, string>>
  readonly operations: readonly Row[]
  readonly schemas: Readonly<Record<string, AnswerSchema>>
  readonly security: { readonly token: SecurityScheme; readonly session: SecurityScheme; readonly csrf: SecurityScheme }
  /** what authentication refuses */
  readonly authenticationCodes: (operation: Row) => readonly string[]
  readonly samples: Readonly<Record<string, ProblemExtras>>
  readonly aboutId: (operation: Row) => string
  readonly pages: Node
}

const ref = (kind: string, name: string): Node => ({ $ref: `#/components/${kind}/${name}` })
const json = (schema: Node, more: Node = {}): Node => ({ 'application/json': { schema, ...more } })
const requestId = { 'X-Request-Id': ref('headers', 'RequestId') }
const setCookie = { 'Set-Cookie': ref('headers', 'Cookie') }
const refused = ref('responses', 'Refused')

const rowOf = (code: string) => new Problem<string>(code).row

type Security = DescribedService<OperationRow>['security']

function requirementsOf({ token, session, csrf }: Security, operation: Partial<OperationRow>): Node[] {
  const { scope, withoutCsrf } = operation
  if (isOpen(operation)) return []
  const ways: Readonly<Record<CredentialKind, Node>> = {
    token: { [token.name]: scope === undefined ? [] : [scope] },
    session: { [session.name]: [], ...(!withoutCsrf && { [csrf.name]: [] }) },
  }
  return (['token', 'session'] as const).filter((one) => accepts(operation, one)).map((one) => ways[one])
}

function securityOf(security: Security, operation: OperationRow): Node {
  const { credentials, scope, withoutCsrf } = operation
  const isUsual = credentials === undefined && scope === undefined && !withoutCsrf
  return isUsual ? {} : { security: requirementsOf(security, operation) }
}

/** what checks refuse, by what the operation accepts */
function codesOf(operation: OperationRow, authenticationCodes: readonly string[]): string[] {
  const { query, body, refusals = [] } = operation
  return [
    ...authenticationCodes,
    'malformed_request',
    'ambiguous_header',
    'unknown_parameter',
    'malformed_query',
    'store_unavailable',
    'internal_error',
    ...(query ? ['repeated_parameter', 'empty_parameter', 'value_not_allowed'] : []),
    ...(query && 'cursor' in query ? ['cursor_invalid', 'cursor_mismatch'] : []),
    ...(body ? ['malformed_body', 'payload_too_large', 'request_timeout'] : ['content_not_allowed']),
    ...refusals,
  ]
}

function exampleOf(code: string, sample: ProblemExtras | undefined): Node {
  const problem = new Problem<string>(code, sample)
  return { summary: problem.row.summary, value: { error: errorOf(problem, 'req_0123456789abcdef') } }
}

function refusal(status: number, codes: readonly string[]): Node {
  return {
    description: [...new Set(codes.map((code) => `\`${rowOf(code).type}\``))].join(', '),
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

function refusalsOf(codes: readonly string[]): Node {
  const byStatus = Map.groupBy(codes, (code) => rowOf(code).status)
  const sorted = [...byStatus].sort(([a], [b]) => a - b)
  return { ...Object.fromEntries(sorted.map(([status, some]) => [status, refusal(status, some)])), default: refused }
}

function parametersOf({ path, query = {} }: OperationRow, aboutId: string): Node[] {
  const id = { name: 'id', in: 'path', required: true, description: aboutId, schema: { type: 'string' } }
  const inQuery = Object.entries(query).map(([name, { description, schema }]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema,
  }))
  return path.includes('{id}') ? [id, ...inQuery] : inQuery
}

function contentOf(answer: string): Node {
  if (answer === 'text') return { 'text/plain': { schema: { type: 'string' } } }
  return answer === 'events' ? { 'text/event-stream': { schema: { type: 'string' } } } : json(ref('schemas', answer))
}

function operationOf<Row extends OperationRow>(operation: Row, service: DescribedService<Row>): Node {
  const { operationId, summary, description, tag, act, body, bodyExample, status = 200, answer } = operation
  const parameters = parametersOf(operation, service.aboutId(operation))
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    'x-act': act,
    ...securityOf(service.security, operation),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: body.required.length > 0, content: json({ ...body }, { example: bodyExample }) },
    }),
    responses: {
      [status]: {
        description: 'The answer.',
        headers: { ...requestId, ...(operation.setsCookie && setCookie) },
        ...(answer !== 'redirect' && { content: contentOf(answer) }),
      },
      ...refusalsOf(codesOf(operation, service.authenticationCodes(operation))),
    },
  }
}

export const describePage = (operationId: string, summary: string, schema: Node): Node => ({
  get: {
    operationId,
    summary,
    tags: ['service'],
    security: [],
    responses: { 200: { description: summary, headers: requestId, content: json(schema) }, default: refused },
  },
})

function componentsOf<Row extends OperationRow>(service: DescribedService<Row>): Node {
  const { operations, samples, schemas, authenticationCodes } = service
  const codes = new Set(operations.flatMap((row) => codesOf(row, authenticationCodes(row))))
  return {
    securitySchemes: Object.fromEntries(Object.values(service.security).map(({ name, scheme }) => [name, scheme])),
    schemas,
    examples: Object.fromEntries([...codes].map((code) => [code, exampleOf(code, samples[code])])),
    responses: {
      Refused: {
        description: 'Any other refusal: broken framing, another path, another method.',
        headers: requestId,
        content: json(ref('schemas', 'Problem')),
      },
    },
    headers: {
      RequestId: { description: 'Id of this request, also in the log and the audit log.', schema: { type: 'string' } },
      Cookie: { description: 'Sets or deletes the cookie of the session.', schema: { type: 'string' } },
      Challenge: { description: 'How to authenticate: `Bearer`.', schema: { type: 'string' } },
      RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
    },
  }
}

export function describeOperations<Row extends OperationRow>(service: DescribedService<Row>): Node {
  const { title, version, about, server, tags, operations, pages } = service
  const byPath = Map.groupBy(operations, ({ path }) => path)
  const paths = [...byPath].map(([path, rows]) => [
    path,
    Object.fromEntries(rows.map((row) => [row.method.toLowerCase(), operationOf(row, service)])),
  ])
  return {
    openapi: '3.1.1',
    info: { title, version, description: about, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/', description: server }],
    security: requirementsOf(service.security, {}),
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: { ...Object.fromEntries(paths), ...pages },
    components: componentsOf(service),
  }
}
