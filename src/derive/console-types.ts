// The types of the console: what the operator's door answers and takes, as its description says it. They grow with the table.
import type { Schema } from './schema.ts'
import { propertyName } from '../samples.ts'
import { jsdoc, membersText, typeText } from './typescript.ts'

interface Described {
  readonly operationId: string
  readonly parameters?: readonly { in: string; name: string; description: string; schema: Schema }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } }
}

/** the description of the operator's door, as far as types are made of it */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const head = `// What the operator's door answers and takes, as types. Derived from its description by \`npm run derive\`: change the rows and
// schemas of src/http/operator, not this file. Long, because it is all.`

const known = `/** One of the known values, or one that came later. */
export type Known<Values extends string> = Values | (string & {})`

const page = `/** A part of a listing. */
export interface Page<T> {
  readonly items: readonly T[]
  /** Pass it back as \`cursor\` for the next page; null at the end. */
  readonly nextCursor: string | null
}`

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** what a page of a listing holds, where the schema is one of those */
function itemsOf({ properties }: Schema): string | undefined {
  const { items, nextCursor, ...more } = (properties ?? {}) as Readonly<Record<string, Schema>>
  const { $ref } = (items?.['items'] ?? {}) as Schema
  const isPage = nextCursor !== undefined && typeof $ref === 'string' && Object.keys(more).length === 0
  return isPage ? typeText({ $ref }) : undefined
}

function answerText(name: string, schema: Schema): string {
  const words = typeof schema['description'] === 'string' ? jsdoc([schema['description']], '') : ''
  const item = itemsOf(schema)
  if (item !== undefined) return `${words}export type ${name} = Page<${item}>\n`
  if (!schema['properties']) return `${words}export type ${name} = ${typeText(schema)}\n`
  return `${words}export interface ${name} {\n${membersText(schema, '  ')}}\n`
}

interface Member {
  readonly name: string
  readonly description: string | undefined
  readonly schema: Schema
  readonly isNeeded?: boolean
}

/** what is handed in: a member that is undefined is not sent */
function takenText(name: string, members: readonly Member[]): string {
  const lines = members.map(({ name: member, description, schema, isNeeded = false }) => {
    const type = typeText(schema, '  ')
    const typed = isNeeded ? `: ${type}` : `?: ${type} | undefined`
    return `${jsdoc(description ? [description] : [], '  ')}  readonly ${propertyName(member)}${typed}\n`
  })
  return `export interface ${name} {\n${lines.join('')}}\n`
}

function bodyText({ operationId, requestBody }: Described): string[] {
  const schema = requestBody?.content['application/json'].schema
  if (!schema) return []
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Schema>; required?: string[] }
  const members = Object.entries(properties).map(([name, one]) => ({
    ...{ name, schema: one, description: one['description'] as string | undefined, isNeeded: required.includes(name) },
  }))
  return [takenText(`${capital(operationId)}Body`, members)]
}

function queryText({ operationId, parameters = [] }: Described): string[] {
  const members = parameters.filter((one) => one.in === 'query')
  return members.length === 0 ? [] : [takenText(`${capital(operationId)}Query`, members)]
}

/** two of one name would be joined in silence */
function checkNames(texts: readonly string[]) {
  const names = texts.flatMap((text) =>
    [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name),
  )
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`${twice} is the name of two types of the console`)
}

export function consoleTypesText({ paths, components }: Description): string {
  const described = Object.values(paths).flatMap((one) => Object.values(one))
  const texts = [
    page,
    ...Object.entries(components.schemas).map(([name, schema]) => answerText(name, schema)),
    ...described.flatMap((one) => [...queryText(one), ...bodyText(one)]),
  ]
  checkNames(texts)
  const open = texts.some((text) => text.includes('Known<')) ? [known] : []
  return `${[head, ...open, ...texts].map((text) => text.trimEnd()).join('\n\n')}\n`
}
