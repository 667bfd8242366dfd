// Checks a value against the part of JSON Schema that the descriptions use.
import { isJsonObject } from './json.ts'

export interface JsonSchema {
  /** one type, or one and `null` */
  readonly type?: unknown
  readonly enum?: readonly string[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly multipleOf?: number
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  /** of members that `properties` does not name */
  readonly propertyNames?: JsonSchema
  readonly maxProperties?: number
}

export interface SchemaFault {
  readonly rule: 'unknown' | 'missing' | 'enum' | 'form'
  /** `a.b` or `a[0]`: the object of an unknown or missing name; empty: the whole value */
  readonly param: string
  readonly wanted: string
  readonly given: string
  readonly allowed: readonly string[]
}

const isOfType: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: isJsonObject,
  null: (value) => value === null,
}

const patterns = new Map<string, RegExp>()

function matches(pattern: string, text: string): boolean {
  const made = patterns.get(pattern) ?? new RegExp(pattern, 'u')
  patterns.set(pattern, made)
  return made.test(text)
}

/** JSON Schema counts code points; they are counted only where the number of code units leaves it open */
function hasLength({ minLength = 0, maxLength = Number.POSITIVE_INFINITY }: JsonSchema, value: string): boolean {
  const units = value.length
  if (units > 2 * maxLength || units < minLength) return false
  if (units <= maxLength && units >= 2 * minLength) return true
  let points = 0
  for (const _ of value) points++
  return points >= minLength && points <= maxLength
}

/** the length is checked before any pattern runs */
const isText = (schema: JsonSchema, value: string): boolean =>
  hasLength(schema, value) && (schema.pattern === undefined || matches(schema.pattern, value))

function isList(
  { minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems }: JsonSchema,
  value: readonly unknown[],
) {
  return value.length >= minItems && value.length <= maxItems && !(uniqueItems && new Set(value).size < value.length)
}

/** as decimal digits: 0.3 is a multiple of 0.1 */
const isMultiple = (value: number, of: number): boolean =>
  Number.isInteger(Number((value / of).toPrecision(15))) && Number.isFinite(value)

function wantedOf(schema: JsonSchema, value: unknown): string | undefined {
  const { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, multipleOf } = schema
  const types = [type].flat().map(String)
  if (!types.some((one) => isOfType[one]?.(value))) return `must be ${types.join(' or ')}`
  if (typeof value === 'number' && value < minimum) return `must be >= ${minimum}`
  if (typeof value === 'number' && value > maximum) return `must be <= ${maximum}`
  if (typeof value === 'number' && multipleOf !== undefined && !isMultiple(value, multipleOf))
    return `must be a multiple of ${multipleOf}`
  const isFit = typeof value === 'string' ? isText(schema, value) : !Array.isArray(value) || isList(schema, value)
  return isFit ? undefined : 'must have the described form'
}

const inside = (param: string, name: string): string => (param === '' ? name : `${param}.${name}`)

/** members whose names the caller chooses */
function findMapFault(
  { properties = {}, additionalProperties, propertyNames, maxProperties }: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  param: string,
): SchemaFault | undefined {
  const names = Object.keys(value).filter((name) => !Object.hasOwn(properties, name))
  if (names.length > (maxProperties ?? Number.POSITIVE_INFINITY))
    return { rule: 'form', param, wanted: `must have at most ${maxProperties} members`, given: '', allowed: [] }
  for (const name of names) {
    const at = inside(param, name)
    if (propertyNames && !isText(propertyNames, name))
      return { rule: 'form', param: at, wanted: 'must have a name of the described form', given: name, allowed: [] }
    const fault = findFault(additionalProperties as JsonSchema, value[name], at)
    if (fault) return fault
  }
  return undefined
}

function findMemberFault(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  param: string,
): SchemaFault | undefined {
  const { properties = {}, required = [], additionalProperties } = schema
  const allowed = Object.keys(properties)
  const names = Object.keys(value).filter((name) => value[name] !== undefined)
  const unknown = names.find((name) => !allowed.includes(name))
  if (additionalProperties === false && unknown !== undefined)
    return { rule: 'unknown', param, wanted: 'must NOT have additional properties', given: unknown, allowed }
  for (const [name, inner] of Object.entries(properties)) {
    if (!names.includes(name) && required.includes(name))
      return { rule: 'missing', param, wanted: `must have required property '${name}'`, given: name, allowed }
    const fault = names.includes(name) && findFault(inner, value[name], inside(param, name))
    if (fault) return fault
  }
  return typeof additionalProperties === 'object' ? findMapFault(schema, value, param) : undefined
}

export function findFault(schema: JsonSchema, value: unknown, param = ''): SchemaFault | undefined {
  const { enum: allowed, items, properties, additionalProperties } = schema
  if (allowed && typeof value === 'string' && !allowed.includes(value))
    return { rule: 'enum', param, wanted: 'must be equal to one of the allowed values', given: value, allowed }
  const wanted = wantedOf(schema, value)
  if (wanted !== undefined) return { rule: 'form', param, wanted, given: '', allowed: [] }
  if (items && Array.isArray(value))
    for (const [i, item] of value.entries()) {
      const fault = findFault(items, item, `${param}[${i}]`)
      if (fault) return fault
    }
  const hasMembers = properties !== undefined || typeof additionalProperties === 'object'
  return hasMembers && isJsonObject(value) ? findMemberFault(schema, value, param) : undefined
}
