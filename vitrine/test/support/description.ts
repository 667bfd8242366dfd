// Checks an answer against the OpenAPI description with an independent validator: status, body, request id. Objects
// are closed for the check, so that an undocumented member fails the test.
import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Route } from '../../src/catalogue/define.ts'
import { routes as ours } from '../../src/catalogue/index.ts'
import examples from '../../src/derive/examples.json' with { type: 'json' }
import { describeApi } from '../../src/derive/openapi.ts'
import type { Answer } from './service.ts'

type Node = Record<string, any>

/** nested objects are the platform's and stay open; the resources themselves are ours */
function closeResources(document: Node): Node {
  for (const [name, schema] of Object.entries<Node>(document['components'].schemas))
    if (name !== 'Problem') schema['additionalProperties'] = false
  document['components'].schemas.Problem.properties.error.additionalProperties = false
  return document
}

interface Described {
  readonly document: Node
  readonly ajv: Ajv2020
  readonly validators: Map<string, ValidateFunction>
}

const cache = new Map<readonly Route[], Described>()

function describedBy(routes: readonly Route[]): Described {
  const known = cache.get(routes)
  if (known) return known
  const document = closeResources(structuredClone(describeApi(routes, examples)))
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  // the platform does not check its URIs, and its dates have three forms, so neither format is checked
  addFormats.default(ajv, { formats: ['date', 'uri-reference', 'int64'] })
  for (const format of ['uri', 'date-time']) ajv.addFormat(format, true)
  ajv.addSchema(document, 'description')
  const made = { document, ajv, validators: new Map() }
  cache.set(routes, made)
  return made
}

const pattern = (path: string): RegExp => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]*')}$`)
const pointer = (parts: readonly string[]): string =>
  parts.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')

function bodyPointer({ document }: Described, path: string, status: number): string {
  const operation = Object.keys(document['paths']).find((template) => pattern(template).test(path))
  if (operation === undefined) return 'components/schemas/Problem'
  const responses: Node = document['paths'][operation].get.responses
  const key = String(status) in responses ? String(status) : 'default'
  if (responses[key].$ref) return `${responses[key].$ref.slice(2)}/content/application~1json/schema`
  return pointer(['paths', operation, 'get', 'responses', key, 'content', 'application/json', 'schema'])
}

/** pages for people have a Markdown version at the same path */
const isEither = (path: string): boolean => /^\/(?:docs\/?|errors(?:\/\w+)?)$/.test(path)
const isPage = (path: string): boolean =>
  !path.startsWith('/v1') && path !== '/mcp' && !/^\/(?:live|health|ready)z$/.test(path)

/** a cacheable answer says so and has a tag; every other is `no-store` */
function checkKeeping(path: string, { status, headers }: Answer) {
  const isAnswer = status === 200 || status === 304
  if (isAnswer && isPage(path)) {
    assert.equal(headers['cache-control'], 'no-cache')
    assert.equal(headers['vary'], isEither(path) ? 'Accept, Accept-Encoding' : 'Accept-Encoding')
    assert.ok(headers['etag'])
    return
  }
  const isTagged = isAnswer && headers['etag'] !== undefined
  assert.match(String(headers['cache-control']), isTagged ? /^private, max-age=[1-9]\d*$/ : /^no-store$/)
  for (const name of isTagged ? [] : ['etag', 'age', 'cache-status', 'vary']) assert.equal(headers[name], undefined)
}

export function checkAnswer(target: string, answer: Answer, routes: readonly Route[] = ours) {
  const path = target.split('?', 1)[0] ?? ''
  assert.match(String(answer.headers['x-request-id']), /^req_[\w-]{16}$/)
  checkKeeping(path, answer)
  assert.equal(answer.headers['x-content-type-options'], 'nosniff')
  if (answer.status >= 400) assert.equal(answer.json?.error?.requestId, answer.headers['x-request-id'])
  if (path === '/openapi.json' || answer.json === undefined) return
  const described = describedBy(routes)
  const at = bodyPointer(described, path, answer.status)
  const validate = described.validators.get(at) ?? described.ajv.compile({ $ref: `description#/${at}` })
  described.validators.set(at, validate)
  assert.ok(
    validate(answer.json),
    `${target} ${answer.status} is not as described: ${described.ajv.errorsText(validate.errors)}`,
  )
}
