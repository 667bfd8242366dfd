// The typed client's methods, one for each operation: parameters, result and documentation.
import { isList, type Route } from '../catalogue/define.ts'
import { exampleParams } from '../catalogue/examples.ts'
import { type Parameter, pageSize, pathNames, pathParameterText, queryParameters } from '../catalogue/parameters.ts'
import { literal, propertyName } from '../../../base/core/source-text.ts'
import { argumentText } from '../samples.ts'
import { beyondSentence, reviewSentence } from '../catalogue/descriptions.ts'
import { jsdoc, union } from '../../../base/operations/typescript.ts'

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const fieldsOf = (route: Route): Parameter | undefined => queryParameters(route).find(({ kind }) => kind === 'fields')

function valueText({ kind, values, isSingle }: Parameter): string {
  if (kind === 'limit') return 'number'
  if (kind === 'cursor') return 'string'
  if (kind === 'fields') return 'Field | readonly Field[]'
  if (!values) return 'string | readonly string[]'
  return isSingle ? union(values) : `${union(values)} | readonly (${union(values)})[]`
}

const wordsOf = (parameter: Parameter): string =>
  parameter.kind === 'limit'
    ? `${parameter.about} From 1 to ${pageSize.most}, by default ${pageSize.standard}.`
    : parameter.about

export function parametersText(route: Route): string {
  const name = capital(route.operation)
  const own = pathNames(route)
  const query = queryParameters(route)
  const twice = query.find((parameter) => own.includes(parameter.name))
  if (twice) throw new Error(`${route.operation} has ${twice.name} in its path and in its query`)
  const fields = fieldsOf(route)
  const inPath = own.map((id) => `${jsdoc([pathParameterText(id)], '  ')}  readonly ${id}: string\n`)
  const inQuery = query.map(
    (parameter) =>
      `${jsdoc([wordsOf(parameter)], '  ')}  readonly ${propertyName(parameter.name)}?: ${valueText(parameter)} | undefined\n`,
  )
  const choice = fields ? `export type ${name}Field = ${union(fields.values ?? [])}\n` : ''
  const generic = fields ? `<Field extends ${name}Field = ${name}Field>` : ''
  return `${choice}export interface ${name}Params${generic} {\n${inPath.join('')}${inQuery.join('')}}\n`
}

function answerText(route: Route): string {
  const { shape, returns } = route
  if (shape === 'ids') return 'string'
  if (shape === 'id') return 'SingleId'
  const name = returns?.name ?? ''
  return fieldsOf(route) ? `Selected<${name}, Field>` : name
}

export function methodText(route: Route): string {
  const { operation, summary, about, isBeyond = false } = route
  const fields = fieldsOf(route)
  const call = `vitrine.${operation}(${argumentText(exampleParams(route))})`
  const example = isList(route) ? `for await (const item of ${call}) …` : `await ${call}`
  const words = [
    `${summary}.`,
    ...(about === undefined ? [] : [about]),
    ...(isBeyond ? [beyondSentence] : []),
    reviewSentence(route),
    '@example',
    example.replace(' …', ' console.log(item)'),
  ]
  const name = capital(operation)
  const generic = fields ? `<const Field extends ${name}Field = never>` : ''
  const given = `${name}Params${fields ? '<Field>' : ''}`
  // without path parameters the argument is optional
  const params = pathNames(route).length > 0 ? `params: ${given}` : `params: ${given} = {}`
  const answer = answerText(route)
  const result = isList(route) ? `List<${answer}>` : `Promise<Answered<${answer}>>`
  const body = `return this.${isList(route) ? 'walk' : 'read'}<${answer}>(${literal(operation)}, params, options)`
  return `${jsdoc(words, '  ')}  ${operation}${generic}(${params}, options?: CallOptions): ${result} {\n    ${body}\n  }\n`
}

function queryText({ name, kind, values }: Parameter): string {
  const more = values ? `, values: [${values.map(literal).join(', ')}]` : ''
  return `      ${propertyName(name)}: { kind: ${literal(kind)}${more} },\n`
}

/** shared by all lists, to keep the client small */
export const pagingText = `const paging = { limit: { kind: 'limit', maximum: ${pageSize.most} }, cursor: { kind: 'cursor' } } as const\n`

const isPaging = ({ kind }: Parameter): boolean => kind === 'limit' || kind === 'cursor'

export function operationText(route: Route): string {
  const parameters = queryParameters(route)
  const own = parameters.filter((parameter) => !isPaging(parameter)).map(queryText)
  const query = [...own, ...(parameters.some(isPaging) ? ['      ...paging,\n'] : [])].join('')
  return `  ${route.operation}: {
    path: ${literal(route.path)},
    shape: ${literal(route.shape)},
    pathParameters: [${pathNames(route).map(literal).join(', ')}],
    query: {${query === '' ? '' : `\n${query}    `}},
  },
`
}
