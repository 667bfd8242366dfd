// The typed client as one file without imports: types and methods from the routes, and the hand-written client/parts.
import { literal } from '../../../base/core/source-text.ts'
import { joinPart } from '../../../base/operations/join-part.ts'
import { jsdoc, membersText, typeText, union } from '../../../base/operations/typescript.ts'
import { problems } from '../problems.ts'
import { codesOf } from './openapi.ts'
import type { AnswerDefinition, RouteDefinition, Schemas } from './route.ts'

/** in the order of their dependencies */
export const clientParts = [
  'types',
  'errors',
  'answer',
  'exchange',
  'stream',
  'list',
  'content',
  'base-client',
] as const
export type ClientParts = Readonly<Record<(typeof clientParts)[number], string>>

/** names that the parts export for each other only */
const inner =
  `Failure withoutAnswer reasonOf brokeOff Reading isObject parsed readRetryAfter requestIdOf passing unexpected
  refusalOf errorOf Repeat Call unlessStopped Stopper Begun exchange readJson readLines unknownOutcome readTree
  readFileAnswer Sent sendJson sendContent sendForm Ground BaseClient`.split(/\s+/)

type Schema = Readonly<Record<string, unknown>>

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
const orUndefined = ' | undefined'

/** what a key reaches: the routes of sessions are for browsers, the open ones for monitoring */
export const isForKeys = ({ credential, isUpgrade }: RouteDefinition): boolean =>
  !isUpgrade && (credential === 'key' || credential === 'either')

const answersOf = ({ answers }: RouteDefinition): readonly AnswerDefinition[] => Object.values(answers).flat()
const jsonOf = (route: RouteDefinition): readonly string[] =>
  answersOf(route).flatMap((one) => ('json' in one ? [one.json] : []))
const mediaOf = (route: RouteDefinition): readonly string[] =>
  answersOf(route).flatMap((one) => ('media' in one ? [one.media] : []))
const schemaOf = ({ body, streamedBody }: RouteDefinition): Schema | undefined =>
  (body?.schema ?? streamedBody?.schema) as Schema | undefined

function queryText({ query = {} }: RouteDefinition): string {
  return Object.entries(query)
    .map(([name, { schema, description, required, isList, isRepeated }]) => {
      const one = typeText(schema as object as Schema)
      const type = isList || isRepeated ? `${one} | readonly ${one.includes(' | ') ? `(${one})` : one}[]` : one
      const words =
        schema.default === undefined ? description : `${description} By default ${JSON.stringify(schema.default)}.`
      return `${jsdoc([words], '  ')}  readonly ${name}${required ? '' : '?'}: ${type}${required ? '' : orUndefined}\n`
    })
    .join('')
}

function paramsText(route: RouteDefinition): string {
  const schema = schemaOf(route)
  const inPath = route.path.includes('{id}') ? `${jsdoc(['The id.'], '  ')}  readonly id: string\n` : ''
  const members = schema ? membersText(schema, '  ', orUndefined) : inPath + queryText(route)
  if (members === '') return ''
  const isFile = route.streamedBody?.mediaTypes.includes('application/octet-stream')
  const size = isFile
    ? `${jsdoc(['Of a file that is given as a stream, whose length cannot be seen.'], '  ')}  readonly sizeBytes?: number | undefined\n`
    : ''
  return `export interface ${capital(route.operationId)}Params {\n${members}${size}}\n`
}

interface Method {
  readonly name: string
  /** of the parameters */
  readonly given: string
  readonly result: string
  readonly body: string
  /** what differs from the operation's own words */
  readonly about?: string
}

function givenOf({ operationId, path, query = {}, body, streamedBody }: RouteDefinition): string {
  const hasParams = path.includes('{id}') || Object.keys(query).length > 0 || body || streamedBody
  if (!hasParams) return ''
  const isRequired = path.includes('{id}') || body || streamedBody || Object.values(query).some((one) => one.required)
  return `params: ${capital(operationId)}Params${isRequired ? '' : ' = {}'}`
}

function jsonMethod(route: RouteDefinition, schemas: Schemas): Method {
  const { operationId: name } = route
  const [answer, later] = jsonOf(route)
  const given = givenOf(route)
  const call = (how: string, type: string) =>
    `return this.${how}<${type}>(${literal(name)}, ${given === '' ? '{}' : 'params'}, options)`
  if (answer === undefined) return { name, given, result: 'Promise<void>', body: call('json', 'void') }
  const { items } = (schemas[answer]?.['properties'] ?? {}) as { items?: { items: Schema } }
  if (answer.endsWith('Page') && items) {
    const item = typeText(items.items)
    return { name, given, result: `List<${item}>`, body: call('list', item) }
  }
  // the service answers at once where the command is detached
  const type =
    later === undefined
      ? `Answered<${answer}>`
      : `Answered<Given extends { readonly detach: true } ? ${later} : ${answer}>`
  const generic = later === undefined ? name : `${name}<const Given extends ${capital(name)}Params>`
  const params = later === undefined ? given : 'params: Given'
  return { name: generic, given: params, result: `Promise<${type}>`, body: call('json', type) }
}

const followMethod = {
  name: 'followCommand',
  result: 'AsyncGenerator<CommandEvent, void, undefined>',
  body: "return this.logEvents<CommandEvent>('followCommand', params, options, 'exit')",
  about:
    'Its output as it comes; leaving the loop leaves the command alone. After a broken connection it goes on where it was, with another `start`.',
}

const mediaMethods: Readonly<Record<string, (route: RouteDefinition) => Omit<Method, 'given'>>> = {
  'application/octet-stream': ({ operationId: name }) => ({
    name,
    result: 'Promise<FileAnswer>',
    body: `return this.file(${literal(name)}, params, options)`,
  }),
  'application/x-tar': ({ operationId: name }) => ({
    name: `${name}Tree`,
    result: 'Promise<TreeAnswer>',
    body: `return this.tree(${literal(name)}, params, options)`,
    about: 'The directory as a tar.',
  }),
  'application/x-ndjson': (route) => {
    const { operationId: name } = route
    if (name === 'followCommand') return followMethod
    const [kind, event] = jsonOf(route).length > 0 ? ['command', 'CommandEvent'] : ['log', 'LogEvent']
    return {
      name: kind === 'command' ? `${name}Stream` : name,
      result: `AsyncGenerator<${event}, void, undefined>`,
      body: `return this.${kind}Events<${event}>(${literal(name)}, params, options)`,
      about:
        kind === 'command'
          ? 'The output as it comes. It is asked for when it is iterated; leaving the loop ends the command.'
          : 'It is read when it is iterated. After a broken connection it goes on where it was.',
    }
  },
}

/** of a body that is no JSON */
function contentMethods(route: RouteDefinition): Method[] {
  const { operationId: name, streamedBody } = route
  const [answer = 'void'] = jsonOf(route)
  const params = `params: ${capital(name)}Params`
  return (streamedBody?.mediaTypes ?? []).flatMap((media): Method[] => {
    const result = `Promise<Answered<${answer}>>`
    const put = `return this.put<Answered<${answer}>>(${literal(name)}, ${literal(media)}, { ...params }, content, options)`
    if (media === 'application/octet-stream') return [{ name, given: `${params}, content: Content`, result, body: put }]
    if (media === 'application/x-tar')
      return [
        {
          name: `${name}Tree`,
          given: `${params}, content: Content`,
          result,
          body: put,
          about: 'The content is an uncompressed tar.',
        },
      ]
    if (media !== 'multipart/form-data') return []
    const body = `return this.form<Answered<${answer}>>(${literal(name)}, params, context, options)`
    const given = `params: Omit<${capital(name)}Params, 'files'>, context: Content`
    return [{ name: `${name}WithContext`, given, result, body, about: 'The context is an uncompressed tar.' }]
  })
}

function methodsOf(route: RouteDefinition, schemas: Schemas): Method[] {
  const takesJson = route.body !== undefined || route.streamedBody?.schema !== undefined
  const isPlain = (jsonOf(route).length > 0 || mediaOf(route).length === 0) && (!route.streamedBody || takesJson)
  const given = givenOf(route)
  const streams = mediaOf(route).flatMap((media) => {
    const method = mediaMethods[media]?.(route)
    return method ? [{ given, ...method }] : []
  })
  return [...(isPlain ? [jsonMethod(route, schemas)] : []), ...contentMethods(route), ...streams]
}

function methodText(route: RouteDefinition, { name, given, result, body, about }: Method): string {
  const words = [`${route.summary}.`, ...[about ?? route.description ?? []].flat(), ...scopeWords(route)]
  return `${jsdoc(words, '  ')}  ${name}(${given === '' ? '' : `${given}, `}options?: CallOptions): ${result} {\n    ${body}\n  }\n`
}

const scopeWords = ({ scope }: RouteDefinition): string[] => (scope === undefined ? [] : [`Scope: \`${scope}\`.`])

function operationText(route: RouteDefinition): string {
  const input = schemaOf(route) ? 'json' : 'query'
  const { operationId, method, path, makes } = route
  return `  ${operationId}: { method: ${literal(method)}, path: ${literal(path)}, input: ${literal(input)}, isIdempotent: ${makes !== undefined} },\n`
}

/** the schemas that the answers lead to */
function schemaNames(routes: readonly RouteDefinition[], schemas: Schemas): string[] {
  const found = new Set<string>()
  const visit = (name: string) => {
    if (found.has(name)) return
    found.add(name)
    for (const [, next = ''] of JSON.stringify(schemas[name]).matchAll(/#\/components\/schemas\/(\w+)/g)) visit(next)
  }
  for (const name of routes.flatMap(jsonOf)) visit(name)
  return [...found].filter((name) => !name.endsWith('Page'))
}

function typesText(routes: readonly RouteDefinition[], schemas: Schemas): string {
  const answers = schemaNames(routes, schemas).map(
    (name) => `export interface ${name} {\n${membersText(schemas[name] as Schema, '  ')}}\n`,
  )
  return [...answers, ...routes.map(paramsText).filter(Boolean)].join('\n')
}

const own = ['unreachable', 'deadline', 'unexpected_answer']

export interface ClientSource {
  readonly routes: readonly RouteDefinition[]
  readonly schemas: Schemas
  readonly parts: ClientParts
  readonly version: string
}

export function clientText({ routes: all, schemas, parts, version }: ClientSource): string {
  const routes = all.filter(isForKeys)
  const types = [
    ...new Set(routes.flatMap(codesOf).map((code) => problems[code]?.type ?? code)),
    'output_limit',
    ...own,
  ]
  const names = union(routes.map(({ operationId }) => operationId))
  const methods = routes.flatMap((route) => methodsOf(route, schemas).map((method) => methodText(route, method)))
  return [
    `/*! Atelier ${version}, typed client: one file, no dependencies. https only, or this machine. Apache-2.0 */
// Derived from the routes and from client/parts by \`npm run derive\`: change those, not this file. Long, because it is all.`,
    `export type ErrorType = ${union(types)}`,
    ...clientParts.map((part) => joinPart(parts[part], inner)),
    typesText(routes, schemas),
    `export type OperationName = ${names}`,
    `/** every operation of a key as data, by name */
export const operations: Readonly<Record<OperationName, OperationInfo>> = {\n${routes.map(operationText).join('')}}`,
    `/** A service, called with one API key. A method sends one request; a list or a stream sends its requests when it is iterated. */
export class Atelier extends BaseClient {
  constructor(options: AtelierOptions) {
    super({ operations, agent: ${literal(`atelier-client/${version}`)} }, options)
  }

${methods.join('\n')}}`,
  ]
    .map((text) => text.trimEnd())
    .join('\n\n')
    .concat('\n')
}
