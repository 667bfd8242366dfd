// Turns a platform resource into a flat object: id, documented attributes, ids from the path, supplied linkages.
// What depends only on the definition and the selection is computed once, as a template for every item of a page.
import type { Field, Resource } from '../catalogue/define.ts'
import { ownAttributes, relatedParts } from '../catalogue/related.ts'
import { vocabulary } from '../catalogue/vocabulary.ts'
import { malformed } from '../problems.ts'
import { requireSameId } from './document.ts'
import { isJsonObject, type JsonObject } from '../../../base/core/json.ts'

export type Flat = Record<string, unknown>

export interface FieldSelection {
  readonly fields?: readonly string[] | undefined
  readonly ids: Readonly<Record<string, string>>
  /** linkage or relationship -> the path parameter whose id it must name if it is supplied */
  readonly parent?: Readonly<Record<string, string>> | undefined
  /** the resources that came along, by type and id */
  readonly included?: () => ReadonlyMap<string, JsonObject>
}

export interface Slot {
  readonly name: string
  readonly kind: Field['kind']
  readonly fits: (value: unknown) => boolean
  readonly items: Field | undefined
  /** false for free text: a comment may contain APPLE_TV */
  readonly isTranslated: boolean
}

/** attributes that come from a related resource */
interface Related {
  readonly relation: string
  readonly type: string
  readonly slots: ReadonlyMap<string, Slot | null>
}

interface Template {
  /** by the platform's name; null: documented, and not selected or hidden */
  readonly attributes: ReadonlyMap<string, Slot | null>
  readonly links: ReadonlyMap<string, string>
  readonly related: readonly Related[]
  readonly blank: Flat
}

const fromPlatformWords = new Map(Object.entries(vocabulary).map(([ours, theirs]) => [theirs, ours]))

function isInteger(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value)
  if (!JSON.isRawJSON(value)) return false
  // a raw number: too long for a double, or spelt like 1E5
  return /^-?\d+$/.test(value.rawJSON) || Number.isSafeInteger(Number(value.rawJSON))
}

const fits: Readonly<Record<Field['kind'], (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: isInteger,
  number: (value) => typeof value === 'number' || JSON.isRawJSON(value),
  boolean: (value) => typeof value === 'boolean',
  object: isJsonObject,
  array: Array.isArray,
}

export const platformWords = [...fromPlatformWords.keys()]

const ourWord = (value: unknown): unknown =>
  typeof value === 'string' ? (fromPlatformWords.get(value) ?? value) : value

const slotOf = (name: string, { kind, values, items }: Field): Slot => ({
  name,
  kind,
  fits: fits[kind],
  items,
  isTranslated: (values ?? items?.values ?? []).some((word) => Object.hasOwn(vocabulary, word)),
})

/** Parsed, not built member by member: V8 makes a slow dictionary of an object that grew by a dozen members. */
function makeBlank(names: readonly string[]): Flat {
  const blank = JSON.parse(`{${['id', ...names].map((name) => `${JSON.stringify(name)}:0`).join()}}`) as Flat
  for (const name of Object.keys(blank)) blank[name] = undefined
  return blank
}

function makeTemplate({ attributes, links, fromPath, hidden = [] }: Resource): Template {
  const slots = [
    ...Object.entries(ownAttributes(attributes)).map(
      ([name, field]) => [vocabulary[name] ?? name, slotOf(name, field)] as const,
    ),
    ...hidden.map((name) => [vocabulary[name] ?? name, null] as const),
  ]
  return {
    attributes: new Map(slots),
    related: relatedSlots(attributes),
    links: new Map(Object.entries(links).map(([name, { relation }]) => [relation, name])),
    blank: makeBlank([...Object.keys(attributes), ...fromPath, ...Object.keys(links)]),
  }
}

const relatedSlots = (attributes: Resource['attributes'], chosen?: readonly string[]): Related[] =>
  relatedParts(attributes).flatMap(({ relation, type, fields }) => {
    const isChosen = (name: string): boolean => chosen?.includes(name) ?? true
    const slots = fields.map(([ours, theirs, field]) => [theirs, isChosen(ours) ? slotOf(ours, field) : null] as const)
    return slots.some(([, slot]) => slot) ? [{ relation, type, slots: new Map(slots) }] : []
  })

const templates = new WeakMap<Resource, Template>()

function templateOf(resource: Resource, fields: readonly string[] | undefined): Template {
  const whole = templates.get(resource) ?? makeTemplate(resource)
  templates.set(resource, whole)
  if (!fields) return whole
  const chosen = [...whole.attributes].map(
    ([theirs, slot]) => [theirs, slot && fields.includes(slot.name) ? slot : null] as const,
  )
  const names = Object.keys(resource.attributes).filter((name) => fields.includes(name))
  const related = whole.related.length === 0 ? [] : relatedSlots(resource.attributes, fields)
  return { ...whole, attributes: new Map(chosen), related, blank: makeBlank(names) }
}

function readValue({ name, kind, fits: isFit, items, isTranslated }: Slot, value: unknown): unknown {
  if (value === null) return null
  if (!isFit(value)) throw malformed(`${name} is not of type ${kind}`)
  if (items && !(value as unknown[]).every((item) => fits[items.kind](item)))
    throw malformed(`${name} holds something that is not of type ${items.kind}`)
  if (!isTranslated) return value
  return Array.isArray(value) ? value.map(ourWord) : ourWord(value)
}

function readLink(name: string, relationship: unknown): string | null | undefined {
  if (!isJsonObject(relationship)) throw malformed(`the relationship behind ${name} is not an object`)
  const { data } = relationship
  if (data === undefined || data === null) return data
  if (!isJsonObject(data) || typeof data['id'] !== 'string' || data['id'] === '')
    throw malformed(`the relationship behind ${name} is not one identifier`)
  return data['id']
}

function section(resource: JsonObject, name: string): JsonObject | undefined {
  const value = resource[name] ?? undefined
  if (value !== undefined && !isJsonObject(value)) throw malformed(`${name} is not an object`)
  return value
}

export interface Outline extends Pick<Template, 'attributes'> {
  /** every field in its order, and the values that are the same in all items */
  readonly blank: Flat
}

function blankOf({ blank }: Template, { fromPath }: Resource, { fields, ids }: FieldSelection): Flat {
  const own = { ...blank }
  if (!fields) for (const name of fromPath) own[name] = ids[name]
  return own
}

/** undefined: attributes come from related resources */
export function outlineOf(resource: Resource, selection: FieldSelection): Outline | undefined {
  const template = templateOf(resource, selection.fields)
  if (template.related.length > 0) return undefined
  return { attributes: template.attributes, blank: blankOf(template, resource, selection) }
}

/** by relationship: the id that it must name */
type Owners = ReadonlyMap<string, string | undefined>

const noOwners: Owners = new Map()

function ownersOf({ links }: Resource, { parent, ids }: FieldSelection): Owners {
  if (!parent) return noOwners
  return new Map(Object.entries(parent).map(([name, id]) => [links[name]?.relation ?? name, ids[id]]))
}

/** Flattens the resources of one kind, and collects the attributes that the catalogue does not know. */
export class Flattener {
  readonly unknown = new Set<string>()
  readonly #template: Template
  readonly #blank: Flat
  readonly #selection: FieldSelection
  readonly #owners: Owners
  readonly #included: ReadonlyMap<string, JsonObject> | undefined

  constructor(resource: Resource, selection: FieldSelection) {
    this.#owners = ownersOf(resource, selection)
    this.#template = templateOf(resource, selection.fields)
    this.#selection = selection
    this.#included = this.#template.related.length > 0 ? selection.included?.() : undefined
    this.#blank = blankOf(this.#template, resource, selection)
  }

  flatten(json: JsonObject): Flat {
    const out = this.fillIn(section(json, 'attributes'), json['id'])
    const relationships = section(json, 'relationships')
    this.#addLinks(relationships, out)
    for (const one of this.#template.related) this.#addRelated(one, relationships?.[one.relation], out)
    return out
  }

  #addRelated({ relation, type, slots }: Related, relationship: unknown, out: Flat) {
    const id = readLink(relation, relationship)
    if (id === undefined) throw malformed(`the relationship ${relation}, which was asked for, is not supplied`)
    if (id === null) return
    const resource = this.#included?.get(`${type} ${id}`)
    if (!resource) throw malformed(`the ${relation} of a resource is not included`)
    this.#fill(slots, section(resource, 'attributes'), out, `${relation}.`)
  }

  fillIn(attributes: JsonObject | undefined, id: unknown): Flat {
    const out = { ...this.#blank }
    out['id'] = id
    this.#fill(this.#template.attributes, attributes, out)
    return out
  }

  #fill(slots: Template['attributes'], attributes: JsonObject | undefined, out: Flat, within = '') {
    // for..in allocates nothing, and a parsed object inherits no enumerable member
    for (const theirs in attributes) {
      const slot = slots.get(theirs)
      if (slot) out[slot.name] = readValue(slot, attributes[theirs])
      else if (slot === undefined) this.unknown.add(within + theirs)
    }
  }

  #addLinks(relationships: JsonObject | undefined, out: Flat) {
    const { fields } = this.#selection
    for (const relation in relationships) {
      const name = this.#template.links.get(relation)
      const owner = this.#owners.get(relation)
      if (name === undefined && owner === undefined) continue
      const id = readLink(name ?? relation, relationships[relation])
      if (owner !== undefined && typeof id === 'string')
        requireSameId(id, owner, `${name ?? relation} names another parent`)
      if (name !== undefined && !fields) out[name] = id
    }
  }
}
