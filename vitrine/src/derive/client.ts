// The typed client as one file without imports: types and methods from the catalogue, and the hand-written client/parts.
import type { Route } from '../catalogue/define.ts'
import { connectionPath } from '../catalogue/parameters.ts'
import { problems, readerCodes } from '../problems.ts'
import { methodText, operationText, pagingText, parametersText } from './client-methods.ts'
import { routeSchemas, type Schema } from './schema.ts'
import { connectionStatusOperation, statusSchema, whoamiOperation, whoamiSchema } from './service-operations.ts'
import { literal } from '../../../base/core/source-text.ts'
import { joinPart } from '../../../base/operations/join-part.ts'
import { jsdoc, membersText, union } from '../../../base/operations/typescript.ts'
import { version } from '../version.ts'

/** in the order of their dependencies */
export const clientParts = ['types', 'arguments', 'errors', 'answer', 'exchange', 'list', 'reader'] as const
export type ClientParts = Readonly<Record<(typeof clientParts)[number], string>>

/** names that the parts export for each other only */
const inner = `Failure errorClasses withoutAnswer notSent ArgumentCode RefuseArgument readArguments readConnection
  checkMembers writeTarget Shape Reading passing readRetryAfter readAnswer requestIdOf Call exchange PageWish AskPage
  Ground Reader`.split(/\s+/)

const head = `/*! Vitrine ${version}, typed client: one file, no dependencies. https only, or this machine. Apache-2.0 */
// Derived from the catalogue and from client/parts by \`npm run derive\`: change those, not this file. Long, because it is all.`

function errorNames(): string {
  const own = ['unreachable', 'deadline', 'unexpected_answer', 'too_many_items']
  const types = [...new Set(readerCodes.map((code) => problems[code].type)), ...own]
  const ownCodes = [...own, 'redirected', 'cursor_repeated']
  return `export type ErrorType = ${union(types)}\nexport type ErrorCode = ${union([...readerCodes, ...ownCodes])}\n`
}

const interfaceText = (name: string, schema: Schema): string =>
  `export interface ${name} {\n${membersText(schema, '  ')}}\n`

function resourcesText(routes: readonly Route[]): string {
  const schemas = routeSchemas(routes)
  const wanted = new Set([...routes.flatMap(({ returns }) => returns?.name ?? []), 'SingleId'])
  const own = Object.entries(schemas).filter(([name]) => wanted.has(name))
  return [...own, ['Whoami', whoamiSchema] as const, ['ConnectionStatus', statusSchema] as const]
    .map(([name, schema]) => interfaceText(name, schema as Schema))
    .join('\n')
}

/** TypeScript would merge two interfaces of one name. */
function checkNames(routes: readonly Route[], parts: ClientParts) {
  const taken = new Set(
    clientParts.flatMap((part) =>
      [...parts[part].matchAll(/^(?:export )?(?:class|interface|type|const) (\w+)/gm)].map((m) => m[1]),
    ),
  )
  for (const { returns } of routes)
    if (
      returns &&
      (taken.has(returns.name) ||
        ['Whoami', 'ConnectionStatus', 'SingleId', 'Vitrine', 'Promise'].includes(returns.name))
    )
      throw new Error(`${returns.name} is the name of something else in the client`)
}

function ownMethod(name: string, answer: string, path: string, shape: string, operation: Schema): string {
  const { summary, description } = operation
  const words = jsdoc([`${String(summary)}.`, String(description)], '  ')
  return `${words}  ${name}(options?: CallOptions): Promise<Answered<${answer}>> {\n    return this.own<${answer}>(${literal(path)}, ${literal(shape)}, options)\n  }\n`
}

function classText(routes: readonly Route[]): string {
  const methods = [
    ownMethod('whoami', 'Whoami', '/v1/whoami', 'one', whoamiOperation({})),
    ownMethod(
      'connectionStatus',
      'ConnectionStatus',
      '/v1/connections/{connectionId}/status',
      'connection',
      connectionStatusOperation({}),
    ),
    ...routes.map(methodText),
  ]
  return `/** A service, read with one facade key. A method sends one request; a list sends its requests when it is awaited or iterated. */
export class Vitrine extends Reader {
  constructor(options: VitrineOptions) {
    super({ operations, root: ${literal(connectionPath)}, agent: ${literal(`vitrine-client/${version}`)} }, options)
  }

${methods.join('\n')}}
`
}

export function clientText(routes: readonly Route[], parts: ClientParts): string {
  checkNames(routes, parts)
  const names = `export type OperationName = ${union(routes.map(({ operation }) => operation))}\n`
  const table = `/** every operation as data, by name */
export const operations: Readonly<Record<OperationName, OperationInfo>> = {
${routes.map(operationText).join('')}}
`
  return [
    head,
    errorNames(),
    ...clientParts.map((part) => joinPart(parts[part], inner)),
    resourcesText(routes),
    routes.map(parametersText).join('\n'),
    names,
    pagingText,
    table,
    classText(routes),
  ]
    .map((text) => text.trimEnd())
    .join('\n\n')
    .concat('\n')
}
