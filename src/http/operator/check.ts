// Holds a JSON object against its schema: the same schema that stands in the description. Every refusal names the member,
// what is wanted and the nearest name; a value is repeated only where it is a name in a list, and then in short.
import { didYouMean, nearestOf } from '../../engine/nearest.ts'
import { quote } from '../../engine/quote.ts'
import { Problem } from '../../problem.ts'
import type { Body } from '../body.ts'

interface Said {
  /** ends with the form that is wanted: it is told to whoever sends another */
  readonly description: string
}

export interface TextSchema {
  readonly type: 'string'
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly enum?: readonly string[]
  readonly writeOnly?: true
  readonly default?: string
}

export type MemberSchema = Said &
  (
    | TextSchema
    | { readonly type: 'integer'; readonly minimum: number; readonly maximum: number; readonly default?: number }
    | { readonly type: 'boolean'; readonly default?: boolean }
    | {
        readonly type: 'array'
        readonly items: TextSchema
        readonly minItems: number
        readonly maxItems: number
        readonly uniqueItems: true
      }
  )

export interface BodySchema {
  readonly type: 'object'
  readonly additionalProperties: false
  readonly required: readonly string[]
  readonly properties: Readonly<Record<string, MemberSchema>>
}

const mostKnown = 20

/** refuses a name that is not one of the known, and says which comes close */
export function unknownName(param: string, name: string, known: readonly string[]): Problem {
  const nearest = nearestOf(name, known)
  const more = known.length > mostKnown ? `, … (${known.length} in all)` : ''
  const allowed = known.slice(0, mostKnown)
  return new Problem('member_invalid', {
    param,
    message: `there is no ${quote(name)}.${didYouMean(nearest)} Known: ${allowed.join(', ') || 'none'}${more}.`,
    details: { allowed, ...(nearest !== undefined && { nearest }) },
  })
}

const patterns = new Map<string, RegExp>()
function matches(pattern: string, text: string): boolean {
  const made = patterns.get(pattern) ?? new RegExp(pattern, 'u')
  patterns.set(pattern, made)
  return made.test(text)
}

function isText({ minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern }: TextSchema, value: string): boolean {
  // letters, as JSON Schema counts them, and before any pattern sees them
  const length = value.length > 2 * maxLength ? value.length : Array.from(value).length
  return length >= minLength && length <= maxLength && (pattern === undefined || matches(pattern, value))
}

function checkText(param: string, schema: TextSchema, value: unknown, refuse: () => Problem) {
  if (typeof value !== 'string') throw refuse()
  if (schema.enum && !schema.enum.includes(value)) throw unknownName(param, value, schema.enum)
  if (!isText(schema, value)) throw refuse()
}

const plain = ({ description }: Said): string => description.replaceAll('`', '')

function checkMember(param: string, schema: MemberSchema, value: unknown) {
  const refuse = () => new Problem('member_invalid', { param, message: `not usable. ${plain(schema)}` })
  if (schema.type === 'string') return checkText(param, schema, value, refuse)
  if (schema.type === 'boolean' && typeof value !== 'boolean') throw refuse()
  if (schema.type === 'integer') {
    const { minimum, maximum } = schema
    if (!Number.isInteger(value) || (value as number) < minimum || (value as number) > maximum) throw refuse()
  }
  if (schema.type === 'array') {
    if (!Array.isArray(value) || value.length < schema.minItems || value.length > schema.maxItems) throw refuse()
    for (const item of value as unknown[]) checkText(param, schema.items, item, refuse)
    if (new Set(value).size < value.length) throw refuse()
  }
  return undefined
}

/** Throws a Problem that names the first member that is missing, unknown or wrong. What is undefined is absent. */
export function checkBody({ properties, required }: BodySchema, body: Body) {
  const names = Object.keys(properties)
  const given = Object.keys(body).filter((name) => body[name] !== undefined)
  for (const name of given) if (!names.includes(name)) throw unknownMember(name, names)
  for (const [param, schema] of Object.entries(properties)) {
    if (given.includes(param)) checkMember(param, schema, body[param])
    else if (required.includes(param))
      throw new Problem('member_invalid', { param, message: `missing. ${plain(schema)}` })
  }
}

function unknownMember(name: string, names: readonly string[]): Problem {
  const { message, extras } = unknownName(quote(name).slice(1, -1), name, names)
  return new Problem('member_invalid', { ...extras, message: message.replace('there is no', 'there is no member') })
}
