// The typed client, as the text of one file without imports: what the catalogue says, and the parts that are written by hand.
import type { Route } from '../catalogue/define.ts'
import { connectionPath } from '../catalogue/parameters.ts'
import { problems, readerCodes } from '../problem.ts'
import { methodText, operationText, pagingText, parametersText } from './client-methods.ts'
import { answerSchemas, type Schema } from './schema.ts'
import { statusOperation, statusSchema } from './status.ts'
import { literal } from '../samples.ts'
import { jsdoc, membersText, union } from './typescript.ts'
import { version } from './version.ts'
import { whoamiOperation, whoamiSchema } from './whoami.ts'

/** in the order in which each stands on those before it */
export const clientParts = ['types', 'arguments', 'errors', 'answer', 'exchange', 'list', 'reader'] as const
export type ClientParts = Readonly<Record<(typeof clientParts)[number], string>>

/** what the parts share with each other, and nobody else */
const inner = [
  ...[
    'Failure',
    'errorClasses',
    'withoutAnswer',
    'notSent',
    'ArgumentCode',
    'RefuseArgument',
    'readArguments',
    'readConnection',
    'checkMembers',
    'writeTarget',
    'Shape',
    'Reading',
    'passing',
    'readRetryAfter',
  ],
  ...['readAnswer', 'requestIdOf', 'Call', 'exchange', 'PageWish', 'AskPage', 'Ground', 'Reader'],
]

/** a part without its imports, and without the `export` of what is nobody else's */
function joinable(part: string): string {
  const exported = new RegExp(
    String.raw`^export (?=(?:const|function|async function|class|interface|type) (?:${inner.join('|')})\b)`,
    'gm',
  )
  return part
    .replaceAll(/^import [^']*'[^']+'\n/gm, '')
    .replaceAll(exported, '')
    .trim()
}

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

/** every resource that some route answers with; pages are the same for all */
function resourcesText(routes: readonly Route[]): string {
  const schemas = answerSchemas(routes)
  const wanted = new Set([...routes.flatMap(({ returns }) => returns?.name ?? []), 'SingleId'])
  const own = Object.entries(schemas).filter(([name]) => wanted.has(name))
  return [...own, ['Whoami', whoamiSchema] as const, ['ConnectionStatus', statusSchema] as const]
    .map(([name, schema]) => interfaceText(name, schema as Schema))
    .join('\n')
}

/** two interfaces of one name would be joined in silence */
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
      statusOperation({}),
    ),
    ...routes.map(methodText),
  ]
  return `/** A service, seen with one facade key. Every method asks once; lists ask when they are awaited or walked. */
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
    ...clientParts.map((part) => joinable(parts[part])),
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
