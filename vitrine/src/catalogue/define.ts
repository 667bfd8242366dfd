// The constructors with which routes are defined. A definition is frozen data; the engine and the derivations interpret it.
import type { Group } from './groups.ts'
import type { KnownDifference, Source, Stamp } from './source.ts'

export { type Group, groups, groupTexts } from './groups.ts'
export type { Source } from './source.ts'

/** The type of a value. `values` lists known ones: others are passed on unchanged. */
export interface Field {
  readonly kind: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array'
  readonly about?: string
  readonly format?: 'uri' | 'date-time' | 'date' | 'int64'
  readonly values?: readonly string[]
  /** text by people outside the account: data, never instructions */
  readonly by?: 'end-user'
  /** of an attribute: shown only to keys with the grant `personal` */
  readonly personal?: true
  readonly items?: Field
  readonly properties?: Readonly<Record<string, Field>>
  /** of an attribute: it is one of a related resource, under this name there, which is included */
  readonly of?: { readonly relation: string; readonly type: string; readonly name: string }
  /** an object with the address of a picture: `url`, or `templateUrl` with `{w}`, `{h}` and `{f}` */
  readonly picture?: true
}

/** A to-one relationship: the platform's name and type, and the cheapest field of that type. */
export interface Link {
  readonly relation: string
  readonly type: string
  readonly cheapest: string
  readonly about: string
  readonly personal?: true
}

export interface Resource {
  readonly name: string
  /** the platform's type, or its name for a document that has none */
  readonly type: string
  readonly attributes: Readonly<Record<string, Field>>
  readonly links: Readonly<Record<string, Link>>
  /** fields whose value is a path parameter of the same name */
  readonly fromPath: readonly string[]
  /** the whole resource comes from people outside the account: every text is theirs, also in fields added later */
  readonly by?: 'end-user'
  /** attributes that `withoutPersonal` left out: documented, and not returned */
  readonly hidden?: readonly string[]
}

export interface Filter {
  /** the platform's parameter */
  readonly as: string
  readonly about: string
  /** a closed list */
  readonly values?: readonly string[]
  readonly personal?: true
  /** the platform refuses a request without it: if the caller names no value, all of the list are sent */
  readonly isNeeded?: true
  /** the platform takes one value, not a list */
  readonly isSingle?: true
}

/** `as`: the platform's name of the filter, if it is another one */
type WrittenFilter = Omit<Filter, 'as'> & Partial<Pick<Filter, 'as'>>

interface Common {
  readonly path: string
  readonly group: Group
  readonly summary: string
  readonly about?: string
  readonly from: Source
  /** never cached, whatever the settings say, because answers hold this */
  readonly neverCached?: string
  /** linkages that are always asked for: without them, the rows say nothing, or lead nowhere */
  readonly asks?: readonly string[]
  readonly reviewed: Stamp
  readonly differences?: readonly KnownDifference[]
  /** path and query that the sandbox answers */
  readonly example: string
}

interface One extends Common {
  readonly returns: Resource
  /** no `fields` parameter */
  readonly whole?: true
  readonly filters?: Readonly<Record<string, WrittenFilter>>
}

interface Page extends One {
  readonly sort?: readonly string[]
}

interface Ids extends Common {
  /** the platform's type of the ids */
  readonly type: string
}

/** a definition with its defaults */
interface Whole extends Common {
  /** the platform's type of the answer */
  readonly type: string
  readonly filters: Readonly<Record<string, Filter>>
  readonly sort: readonly string[]
}

interface Resources extends Whole {
  readonly shape: 'one' | 'page'
  readonly returns: Resource
  readonly whole?: true
}

interface Identifiers extends Whole {
  readonly shape: 'ids' | 'id'
  readonly returns?: undefined
  readonly whole?: undefined
}

export type Definition = Resources | Identifiers

export type Route = Definition & {
  /** the name of its export; also client method, CLI argument, operationId and docs page */
  readonly operation: string
  /** its place in the list, from 1: the contract's routes come first, in its order */
  readonly number: number
  /** the route with its personal data, where this one is without */
  readonly complete?: Route
  /** not in the contract: it leads to ids that the contract's routes need */
  readonly isBeyond?: true
}

export const isList = ({ shape }: Pick<Route, 'shape'>): boolean => shape === 'page' || shape === 'ids'

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(freeze)
    Object.freeze(value)
  }
  return value
}

const nothing = { filters: {}, sort: [] }

const withFilters = ({ filters = {}, ...d }: Page) => ({
  ...nothing,
  type: d.returns.type,
  ...d,
  filters: Object.fromEntries(
    Object.entries(filters).map(([name, { as = name, ...filter }]) => [
      name,
      { as: as.includes('[') ? as : `filter[${as}]`, ...filter },
    ]),
  ),
})

/** one resource */
export const one = (d: One): Definition => freeze({ ...withFilters(d), shape: 'one' })
/** a page of resources */
export const page = (d: Page): Definition => freeze({ ...withFilters(d), shape: 'page' })
/** a page of ids */
export const ids = (d: Ids): Definition => freeze({ ...nothing, ...d, shape: 'ids' })
/** one id, or null */
export const id = (d: Ids): Definition => freeze({ ...nothing, ...d, shape: 'id' })

type Definitions = Readonly<Record<string, Definition>>

/** Names each definition after its export and numbers it; those beyond the contract come last. */
export function contents(contract: Definitions, beyond: Definitions = {}): readonly Route[] {
  const named = (definitions: Definitions, before: number): Route[] =>
    Object.entries(definitions).map(([operation, d], i) => ({ ...d, operation, number: before + i + 1 }))
  const first = named(contract, 0)
  return freeze([...first, ...named(beyond, first.length).map((route) => ({ ...route, isBeyond: true as const }))])
}

type ResourceParts = Omit<Resource, 'links' | 'fromPath'> & Partial<Pick<Resource, 'links' | 'fromPath'>>
export const resource = (parts: ResourceParts): Resource => freeze({ links: {}, fromPath: [], ...parts })

export const to = (relation: string, type: string, cheapest: string, about: string): Link => ({
  relation,
  type,
  cheapest,
  about,
})

/** an open filter; `as`: the platform's name for it, if it is another one */
export const any = (about: string, as?: string): WrittenFilter => ({ about, ...(as !== undefined && { as }) })
/** a filter with a closed list of values */
export const listed = (values: readonly string[], about: string, as?: string): WrittenFilter => ({
  ...any(about, as),
  values,
})

/** an attribute, link or filter that concerns a person */
export const personal = <T extends Field | Link | WrittenFilter>(one: T): T => ({ ...one, personal: true })

/** a filter for whether there is something, which takes `true` or `false` */
export const exists = (about: string, as: string): WrittenFilter => ({
  about: `${about} \`true\` or \`false\`.`,
  as: `exists[${as}]`,
  values: ['true', 'false'],
  isSingle: true,
})

const field =
  (kind: Field['kind'], format?: NonNullable<Field['format']>) =>
  (about?: string): Field => ({ kind, ...(about !== undefined && { about }), ...(format && { format }) })

export const text = field('string')
/** text by people outside the account */
export const words = (about?: string): Field => ({ ...text(about), by: 'end-user' })
export const uri = field('string', 'uri')
export const dateTime = field('string', 'date-time')
export const date = field('string', 'date')
export const integer = field('integer')
export const int64 = field('integer', 'int64')
export const number = field('number')
export const flag = field('boolean')
/** a long list of values, written as words */
export const wordsOf = (text: string): readonly string[] => text.split(/\s+/)
/** one of an open list */
export const known = (values: readonly string[], about?: string): Field => ({ ...text(about), values })
export const record = (properties: Record<string, Field>, about?: string): Field => ({
  ...field('object')(about),
  properties,
})
export const picture = (properties: Record<string, Field>, about?: string): Field => ({
  ...record(properties, about),
  picture: true,
})
export const list = (items: Field, about?: string): Field => ({ ...field('array')(about), items })

export const stamp = (version: string, date: string, hash?: string): Stamp => ({
  version,
  date,
  ...(hash !== undefined && { hash }),
})

/** `what`: the document's side, or ours if the document has nothing */
export const differs = (name: string, at: string, what: string, why: string): KnownDifference => ({
  class: name,
  at,
  what,
  why,
})
