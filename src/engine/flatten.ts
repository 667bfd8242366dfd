// One platform resource becomes one flat object: id, documented attributes, values from the path, supplied linkages.
import type { Field, Resource } from '../catalogue/define.ts'
import { vocabulary } from '../catalogue/vocabulary.ts'
import { malformed } from '../problem.ts'
import { isObject, type JsonObject } from './port.ts'

export type Flat = Record<string, unknown>

export interface Selection {
  /** the attributes to return and nothing else; undefined: everything documented */
  readonly fields?: readonly string[] | undefined
  readonly ids: Readonly<Record<string, string>>
  /** linkage -> the path parameter that it must equal where it is supplied */
  readonly parent?: Readonly<Record<string, string>> | undefined
}

const fromPlatformWords = new Map(Object.entries(vocabulary).map(([ours, theirs]) => [theirs, ours]))

function isInteger(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value)
  if (!JSON.isRawJSON(value)) return false
  // kept as text for its digits, or for a spelling such as 1E5
  return /^-?\d+$/.test(value.rawJSON) || Number.isSafeInteger(Number(value.rawJSON))
}

const fits: Readonly<Record<Field['kind'], (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: isInteger,
  number: (value) => typeof value === 'number' || JSON.isRawJSON(value),
  boolean: (value) => typeof value === 'boolean',
  object: isObject,
  array: Array.isArray,
}

const ourWord = (value: unknown): unknown =>
  typeof value === 'string' ? (fromPlatformWords.get(value) ?? value) : value

/** definitions never change, so what follows from one is found out once */
function remembered<D extends object, T>(find: (definition: D) => T): (definition: D) => T {
  const found = new WeakMap<D, T>()
  return (definition) => {
    const known = found.get(definition)
    if (known !== undefined) return known
    const fresh = find(definition)
    found.set(definition, fresh)
    return fresh
  }
}

const isTranslated = remembered(({ values, items }: Field): boolean =>
  (values ?? items?.values ?? []).some((word) => Object.hasOwn(vocabulary, word)),
)

/** only lists that hold a word of the vocabulary are translated: a name or a comment may well read APPLE_TV */
function translate(field: Field, value: unknown): unknown {
  if (!isTranslated(field)) return value
  return Array.isArray(value) ? value.map(ourWord) : ourWord(value)
}

/** the value as the platform sent it, null included; a value of another type is a broken answer */
function readField(name: string, field: Field, value: unknown): unknown {
  if (value === null) return null
  if (!fits[field.kind](value)) throw malformed(`${name} is not of type ${field.kind}`)
  const { items } = field
  if (items && !(value as unknown[]).every((item) => fits[items.kind](item)))
    throw malformed(`${name} holds something that is not of type ${items.kind}`)
  return translate(field, value)
}

function readLink(name: string, relationship: unknown): string | null | undefined {
  if (relationship === undefined) return undefined
  if (!isObject(relationship)) throw malformed(`the relationship behind ${name} is not an object`)
  const { data } = relationship
  if (data === undefined || data === null) return data
  if (!isObject(data) || typeof data['id'] !== 'string' || data['id'] === '')
    throw malformed(`the relationship behind ${name} is not one identifier`)
  return data['id']
}

function section(resource: JsonObject, name: string): JsonObject {
  const value = resource[name] ?? {}
  if (!isObject(value)) throw malformed(`${name} is not an object`)
  return value
}

const own = (object: JsonObject, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined)

const attributesOf = remembered(({ attributes }: Resource) => Object.entries(attributes))
const linksOf = remembered(({ links }: Resource) => Object.entries(links))

export function flattenAttributes(resource: Resource, attributes: JsonObject, out: Flat, fields?: readonly string[]) {
  for (const [name, field] of attributesOf(resource)) {
    if (fields && !fields.includes(name)) continue
    const value = own(attributes, vocabulary[name] ?? name)
    if (value !== undefined) out[name] = readField(name, field, value)
  }
}

export function flatten(resource: Resource, json: JsonObject, { fields, ids, parent }: Selection): Flat {
  const out: Flat = { id: json['id'] }
  flattenAttributes(resource, section(json, 'attributes'), out, fields)
  const relationships = section(json, 'relationships')
  const links: Flat = {}
  for (const [name, link] of linksOf(resource)) {
    const id = readLink(name, own(relationships, link.relation))
    const must = parent?.[name]
    if (must !== undefined && typeof id === 'string' && id !== ids[must])
      throw malformed(`${name} names another parent`)
    if (id !== undefined) links[name] = id
  }
  if (fields) return out
  for (const name of resource.fromPath) out[name] = ids[name]
  return Object.assign(out, links)
}

/** members that the catalogue does not know, by their names in the platform's words */
export function unknownAttributes(resource: Resource, json: JsonObject): string[] {
  const attributes = json['attributes']
  if (!isObject(attributes)) return []
  return Object.keys(attributes).filter(
    (name) => !Object.hasOwn(resource.attributes, fromPlatformWords.get(name) ?? name),
  )
}
