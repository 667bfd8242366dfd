// Writes JSON Schema as TypeScript types, for typed clients.
import { literal, propertyName } from '../core/source-text.ts'

type Schema = Readonly<Record<string, unknown>>

const indent = '  '

export const union = (values: readonly string[]): string => values.map(literal).join(' | ')

export function jsdoc(lines: readonly string[], depth: string): string {
  const said = lines.flatMap((line) => line.split('\n')).map((line) => line.replaceAll('*/', String.raw`*\/`))
  if (said.length === 0) return ''
  if (said.length === 1) return `${depth}/** ${said[0]} */\n`
  return `${depth}/**\n${said.map((line) => `${depth} * ${line}`.trimEnd()).join('\n')}\n${depth} */\n`
}

/** the description with the format */
function wordsOf({ description, format, anyOf }: Schema): string[] {
  const own = format ?? (anyOf as Schema[] | undefined)?.map((one) => one['format']).find((one) => one !== undefined)
  const words = typeof description === 'string' ? description : ''
  if (typeof own !== 'string') return words === '' ? [] : [words]
  return [words === '' ? `Format: ${own}.` : `${words} Format: ${own}.`]
}

/** `orAbsent`: what a member that may be absent may be, too, such as ` | undefined` */
export function membersText(schema: Schema, depth: string, orAbsent = ''): string {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Schema>; required?: string[] }
  return Object.entries(properties)
    .map(([name, one]) => {
      const [mark, also] = required.includes(name) ? ['', ''] : ['?', orAbsent]
      const type = typeText(one, depth, orAbsent)
      return `${jsdoc(wordsOf(one), depth)}${depth}readonly ${propertyName(name)}${mark}: ${type}${also}\n`
    })
    .join('')
}

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** True if the text needs brackets before `[]`; unions inside an object literal do not count. */
const isUnion = (text: string): boolean => text.includes(' | ') && !(text.startsWith('{') && text.endsWith('}'))

function kindText(kind: string, schema: Schema, depth: string, orAbsent: string): string {
  if (kind === 'array') {
    const item = typeText(schema['items'] as Schema, depth, orAbsent)
    return isUnion(item) ? `readonly (${item})[]` : `readonly ${item}[]`
  }
  if (kind !== 'object') return scalars[kind] ?? 'unknown'
  const { properties, additionalProperties: rest } = schema
  if (!properties)
    return `Readonly<Record<string, ${typeof rest === 'object' ? typeText(rest as Schema, depth) : 'unknown'}>>`
  return `{\n${membersText(schema, depth + indent, orAbsent)}${depth}}`
}

const constantText = (value: unknown): string => (typeof value === 'string' ? literal(value) : String(value))

/** an open list of known values */
function openText(members: readonly Schema[]): string | undefined {
  const [listed, rest] = members
  const kinds = new Set([rest?.['type']].flat())
  if (!Array.isArray(listed?.['enum']) || !kinds.has('string')) return undefined
  const known = `Known<${union(listed['enum'] as string[])}>`
  return kinds.has('null') ? `${known} | null` : known
}

/** Throws for a keyword that it does not know. */
export function typeText(schema: Schema, depth = '', orAbsent = ''): string {
  const { $ref, anyOf, enum: values, const: only, type } = schema
  for (const form of ['oneOf', 'allOf', 'not', 'patternProperties'])
    if (form in schema) throw new Error(`a schema says ${form}, which is not made into a type`)
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1)
  if (Array.isArray(anyOf)) return openText(anyOf) ?? anyOf.map((one) => typeText(one, depth, orAbsent)).join(' | ')
  if (only !== undefined) return constantText(only)
  if (Array.isArray(values)) return values.map(constantText).join(' | ')
  return [type]
    .flat()
    .map((kind) => kindText(String(kind), schema, depth, orAbsent))
    .join(' | ')
}
