// The vocabulary that routes are written in: constructors of frozen data. Nothing in a definition runs;
// what the words mean is the engine's and the derivations' affair.
import type { Group } from './groups.ts'
import type { KnownDifference, Stamp } from './stamp.ts'

export { type Group, groups, groupWords } from './groups.ts'
export { differs, stamp } from './stamp.ts'

/** What a value is. `values` are the known ones of an open list: others are passed on unchanged. */
export interface Field {
  readonly kind: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array'
  readonly about?: string
  readonly format?: 'uri' | 'date-time' | 'date' | 'int64'
  readonly values?: readonly string[]
  /** text that people outside the account write: data, and never an instruction to whoever reads it */
  readonly by?: 'end-user'
  readonly items?: Field
  readonly properties?: Readonly<Record<string, Field>>
  /** an object that tells where a picture is, by its `url`, or by a `templateUrl` with `{w}`, `{h}` and `{f}` in it */
  readonly picture?: true
}

/** A to-one relationship: the platform's name and type, and the field of that type that costs least to ask for. */
export interface Link {
  readonly relation: string
  readonly type: string
  readonly cheapest: string
  readonly about: string
}

export interface Resource {
  readonly name: string
  /** the platform's type, or its name for a document that has none */
  readonly type: string
  readonly attributes: Readonly<Record<string, Field>>
  readonly links: Readonly<Record<string, Link>>
  /** fields whose value is a path parameter of the same name */
  readonly fromPath: readonly string[]
  /** it comes whole from people outside the account and their devices: every text in it is theirs, of fields to come too */
  readonly by?: 'end-user'
}

export interface Filter {
  /** the platform's parameter */
  readonly as: string
  readonly about: string
  /** when present, nothing else is accepted */
  readonly values?: readonly string[]
}

export interface Source {
  /** the platform's endpoint that answers */
  readonly read: string
  /** child `child` must be in the linkage list `isIn` before anything is read */
  readonly guard?: { readonly child: string; readonly isIn: string; readonly type: string }
  /** `{localizationId}` is the one localization in this listing with exactly the path's `{locale}` */
  readonly resolve?: { readonly locale: string; readonly type: string }
  /** what names the parent, a linkage field or the platform's relationship: where it is supplied, it must equal this id of the read */
  readonly parent?: Readonly<Record<string, string>>
  /** a related read whose target may be absent: `data: null` means 404 */
  readonly mayBeAbsent?: true
  /** not JSON:API: the body is the resource, in this media type. Its id is this path parameter, which `named` must agree with */
  readonly bare?: { readonly mediaType: string; readonly id: string; readonly named: readonly [string, string] }
}

interface Common {
  readonly path: string
  readonly group: Group
  readonly summary: string
  readonly about?: string
  readonly from: Source
  /** what its answers hold, for which they are not remembered, not even in memory and whatever the settings say */
  readonly neverRemembered?: string
  readonly reviewed: Stamp
  readonly differences?: readonly KnownDifference[]
  /** path and query of an example that the sandbox answers */
  readonly example: string
}

interface One extends Common {
  readonly returns: Resource
  /** always read whole: no `fields` parameter */
  readonly whole?: true
  readonly filters?: Readonly<Record<string, Filter>>
}

interface Page extends One {
  readonly sort?: readonly string[]
}

interface Ids extends Common {
  /** the platform's type of the ids */
  readonly type: string
}

/** What every definition has when the rest of the house reads it. */
interface Whole extends Common {
  /** the platform's type of what comes back */
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

/** Resources or plain ids: `returns` tells which. */
export type Definition = Resources | Identifiers

export type Route = Definition & {
  /** the name of its export: client method, CLI argument, operationId, docs page */
  readonly operation: string
  /** its place in the contract, from 1 */
  readonly number: number
}

/** whether it answers with a page, of resources or of ids */
export const isList = ({ shape }: Pick<Route, 'shape'>): boolean => shape === 'page' || shape === 'ids'

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(freeze)
    Object.freeze(value)
  }
  return value
}

const nothing = { filters: {}, sort: [] }

/** a single flat resource */
export const one = (d: One): Definition => freeze({ ...nothing, type: d.returns.type, ...d, shape: 'one' })
/** a page of flat resources */
export const page = (d: Page): Definition => freeze({ ...nothing, type: d.returns.type, ...d, shape: 'page' })
/** a page of plain ids */
export const ids = (d: Ids): Definition => freeze({ ...nothing, ...d, shape: 'ids' })
/** a single id, or null */
export const id = (d: Ids): Definition => freeze({ ...nothing, ...d, shape: 'id' })

/** The table of contents: names each definition after its export, and numbers it in the contract's order. */
export const contents = (definitions: Readonly<Record<string, Definition>>): readonly Route[] =>
  freeze(Object.entries(definitions).map(([operation, d], i) => ({ ...d, operation, number: i + 1 })))

interface ResourceParts {
  name: string
  type: string
  attributes: Record<string, Field>
  links?: Record<string, Link>
  fromPath?: string[]
  by?: 'end-user'
}
export const resource = (parts: ResourceParts): Resource => freeze({ links: {}, fromPath: [], ...parts })

export const to = (relation: string, type: string, cheapest: string, about: string): Link => ({
  relation,
  type,
  cheapest,
  about,
})

/** a filter whose values are passed on as they are */
export const any = (as: string, about: string): Filter => ({ as, about })
/** a filter with a closed list of values */
export const listed = (as: string, values: readonly string[], about: string): Filter => ({ as, about, values })

const field =
  (kind: Field['kind'], format?: NonNullable<Field['format']>) =>
  (about?: string): Field => ({ kind, ...(about !== undefined && { about }), ...(format && { format }) })

export const text = field('string')
/** text that people outside the account write */
export const words = (about?: string): Field => ({ ...text(about), by: 'end-user' })
export const uri = field('string', 'uri')
export const dateTime = field('string', 'date-time')
export const date = field('string', 'date')
export const integer = field('integer')
export const int64 = field('integer', 'int64')
export const number = field('number')
export const flag = field('boolean')
/** one of an open list */
export const known = (values: readonly string[], about?: string): Field => ({ ...text(about), values })
export const record = (properties: Record<string, Field>, about?: string): Field => ({
  ...field('object')(about),
  properties,
})
/** a record that tells where a picture is */
export const picture = (properties: Record<string, Field>, about?: string): Field => ({
  ...record(properties, about),
  picture: true,
})
export const list = (items: Field, about?: string): Field => ({ ...field('array')(about), items })
