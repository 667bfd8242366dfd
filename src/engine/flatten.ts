// One platform resource becomes one flat object: id, documented attributes, values from the path, supplied linkages.
// What follows from the definition and the selection is found out once, as a form that every item of a page is poured into.
import type { Field, Resource } from '../catalogue/define.ts'
import { vocabulary } from '../catalogue/vocabulary.ts'
import { malformed } from '../problem.ts'
import { requireSameId } from './document.ts'
import { isObject, type JsonObject } from './port.ts'

export type Flat = Record<string, unknown>

export interface Selection {
  /** the attributes to return and nothing else; undefined: everything documented */
  readonly fields?: readonly string[] | undefined
  readonly ids: Readonly<Record<string, string>>
  /** linkage, or the platform's relationship -> the id that it must name where it is supplied */
  readonly parent?: Readonly<Record<string, string>> | undefined
}

/** one documented attribute, ready to be read */
interface Slot {
  readonly name: string
  readonly kind: Field['kind']
  readonly fits: (value: unknown) => boolean
  readonly items: Field | undefined
  /** only lists that hold a word of the vocabulary are translated: a name or a comment may well read APPLE_TV */
  readonly isTranslated: boolean
}

interface Form {
  /** by the platform's word; null: documented, and not wanted */
  readonly attributes: ReadonlyMap<string, Slot | null>
  /** by the platform's word */
  readonly links: ReadonlyMap<string, string>
  /** all that a flat object may hold, in its order; what stays undefined is not in the JSON */
  readonly blank: Flat
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

const slotOf = (name: string, { kind, values, items }: Field): Slot => ({
  ...{ name, kind, fits: fits[kind], items },
  isTranslated: (values ?? items?.values ?? []).some((word) => Object.hasOwn(vocabulary, word)),
})

/**
 * Copied and then filled in, so that no object grows: a page of apps takes a quarter of the memory and half the time.
 * Built name by name it would be no better, since V8 makes a slow dictionary of what has grown by a dozen.
 */
function makeBlank(names: readonly string[]): Flat {
  const blank = JSON.parse(`{${['id', ...names].map((name) => `${JSON.stringify(name)}:0`).join()}}`) as Flat
  for (const name of Object.keys(blank)) blank[name] = undefined
  return blank
}

function makeForm({ attributes, links, fromPath }: Resource): Form {
  const slots = Object.entries(attributes).map(
    ([name, field]) => [vocabulary[name] ?? name, slotOf(name, field)] as const,
  )
  return {
    attributes: new Map(slots),
    links: new Map(Object.entries(links).map(([name, { relation }]) => [relation, name])),
    blank: makeBlank([...Object.keys(attributes), ...fromPath, ...Object.keys(links)]),
  }
}

/** definitions never change */
const forms = new WeakMap<Resource, Form>()

function formOf(resource: Resource, fields: readonly string[] | undefined): Form {
  const whole = forms.get(resource) ?? makeForm(resource)
  forms.set(resource, whole)
  if (!fields) return whole
  const chosen = [...whole.attributes].map(
    ([theirs, slot]) => [theirs, slot && fields.includes(slot.name) ? slot : null] as const,
  )
  const names = Object.keys(resource.attributes).filter((name) => fields.includes(name))
  return { ...whole, attributes: new Map(chosen), blank: makeBlank(names) }
}

/** the value as the platform sent it, null included; a value of another type is a broken answer */
function readValue({ name, kind, fits: isFit, items, isTranslated }: Slot, value: unknown): unknown {
  if (value === null) return null
  if (!isFit(value)) throw malformed(`${name} is not of type ${kind}`)
  if (items && !(value as unknown[]).every((item) => fits[items.kind](item)))
    throw malformed(`${name} holds something that is not of type ${items.kind}`)
  if (!isTranslated) return value
  return Array.isArray(value) ? value.map(ourWord) : ourWord(value)
}

function readLink(name: string, relationship: unknown): string | null | undefined {
  if (!isObject(relationship)) throw malformed(`the relationship behind ${name} is not an object`)
  const { data } = relationship
  if (data === undefined || data === null) return data
  if (!isObject(data) || typeof data['id'] !== 'string' || data['id'] === '')
    throw malformed(`the relationship behind ${name} is not one identifier`)
  return data['id']
}

function section(resource: JsonObject, name: string): JsonObject | undefined {
  const value = resource[name] ?? undefined
  if (value !== undefined && !isObject(value)) throw malformed(`${name} is not an object`)
  return value
}

/** Pours resources of one kind into one form, and keeps in mind what came that the catalogue does not know. */
export class Flattener {
  /** unknown attributes, in the platform's words */
  readonly unknown = new Set<string>()
  readonly #form: Form
  readonly #blank: Flat
  readonly #selection: Selection
  /** by the platform's word: the id that it must name */
  readonly #owners: ReadonlyMap<string, string | undefined>

  constructor(resource: Resource, selection: Selection) {
    const { fields, ids, parent = {} } = selection
    this.#owners = new Map(
      Object.entries(parent).map(([name, id]) => [resource.links[name]?.relation ?? name, ids[id]]),
    )
    this.#form = formOf(resource, fields)
    this.#selection = selection
    this.#blank = { ...this.#form.blank }
    if (!fields) for (const name of resource.fromPath) this.#blank[name] = ids[name]
  }

  flatten(json: JsonObject): Flat {
    const out = this.pour(section(json, 'attributes'), json['id'])
    this.#addLinks(section(json, 'relationships'), out)
    return out
  }

  /** for attributes that stand in no resource */
  pour(attributes: JsonObject | undefined, id: unknown): Flat {
    const { attributes: slots } = this.#form
    const out = { ...this.#blank }
    out['id'] = id
    // for..in collects nothing, and what the parser makes inherits nothing that it would find
    for (const theirs in attributes) {
      const slot = slots.get(theirs)
      if (slot) out[slot.name] = readValue(slot, attributes[theirs])
      else if (slot === undefined) this.unknown.add(theirs)
    }
    return out
  }

  #addLinks(relationships: JsonObject | undefined, out: Flat) {
    const { fields } = this.#selection
    for (const relation in relationships) {
      const name = this.#form.links.get(relation)
      const owner = this.#owners.get(relation)
      if (name === undefined && owner === undefined) continue
      const id = readLink(name ?? relation, relationships[relation])
      if (owner !== undefined && typeof id === 'string')
        requireSameId(id, owner, `${name ?? relation} names another parent`)
      if (name !== undefined && !fields) out[name] = id
    }
  }
}
