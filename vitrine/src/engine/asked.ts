// The query of a route's read: fields, linkages, filters, order and paging, in the platform's words.
import { isList, type Link, type Resource, type Route } from '../catalogue/define.ts'
import { pageSize } from '../catalogue/parameters.ts'
import { ownAttributes, type RelatedPart, relatedParts } from '../catalogue/related.ts'
import { vocabulary } from '../catalogue/vocabulary.ts'
import type { RouteQuery } from './request.ts'

export interface QueryParameter {
  readonly name: string
  readonly value: string
  readonly given?: string
  /** already encoded: the same for every request */
  readonly encoded?: string
  /** an id of the path: one value, whatever it holds */
  readonly isId?: true
}

export const encode = ({ name, value }: QueryParameter): string =>
  `${encodeURIComponent(name)}=${encodeURIComponent(value)}`

/** Encoding the names of all fields takes longer than the rest of a request. */
const preEncoded = (asked: QueryParameter): QueryParameter => ({ ...asked, encoded: encode(asked) })

/** the platform answers 500 to longer URLs */
const longestUrl = 4096

export const isTooLong = (origin: string, target: string): boolean =>
  Buffer.byteLength(origin) + target.length > longestUrl

export interface PlanInput {
  readonly ids: Readonly<Record<string, string>>
  readonly query: RouteQuery
  readonly cursor?: string | undefined
  /** what is left of the page */
  readonly limit?: number | undefined
  readonly linkage: boolean
}

const inPlatformWords = (name: string): string => vocabulary[name] ?? name

export const namesAsked = (type: string, names: readonly string[]): QueryParameter => ({
  name: `fields[${type}]`,
  value: names.join(','),
})

/** only documented fields: the platform's default page is four times as large */
function allAsked({ type, attributes, links }: Resource): QueryParameter[] {
  const names = Object.keys(ownAttributes(attributes)).map(inPlatformWords)
  const all = [...names, ...Object.values(links).map((link) => link.relation)]
  return all.length > 0 ? [namesAsked(type, all)] : []
}

/** `include` returns related resources; the attributes that rows take from them, or one cheap field, keep them small */
function linksAsked(links: readonly Link[], related: readonly RelatedPart[]): QueryParameter[] {
  const relations = new Set([...links, ...related].map(({ relation }) => relation))
  if (relations.size === 0) return []
  const wanted = new Map<string, Set<string>>()
  for (const { type, fields } of related) wanted.set(type, new Set(fields.map(([, theirs]) => theirs)))
  const full = new Set(wanted.keys())
  for (const { type, cheapest } of links)
    if (!full.has(type)) wanted.set(type, (wanted.get(type) ?? new Set()).add(cheapest))
  return [
    { name: 'include', value: [...relations].join(',') },
    ...[...wanted].map(([type, fields]) => namesAsked(type, [...fields])),
  ]
}

/** all linkages if the connection says so, else those without which the rows of this route say nothing */
const linksOf = ({ links }: Resource, asks: readonly string[], linkage: boolean): readonly Link[] =>
  Object.entries(links).flatMap(([name, link]) => (linkage || asks.includes(name) ? [link] : []))

const unselected = new WeakMap<Route, Record<'plain' | 'linked', readonly QueryParameter[]>>()

function unselectedAsked(route: Route, resource: Resource, linkage: boolean): readonly QueryParameter[] {
  let known = unselected.get(route)
  if (!known) {
    const all = allAsked(resource).map(preEncoded)
    const withLinks = (wanted: boolean) => [
      ...all,
      ...linksAsked(linksOf(resource, route.asks ?? [], wanted), relatedParts(resource.attributes)).map(preEncoded),
    ]
    known = { plain: withLinks(false), linked: withLinks(true) }
    unselected.set(route, known)
  }
  return linkage ? known.linked : known.plain
}

function fieldsAsked(route: Route, resource: Resource, { query: { fields }, linkage }: PlanInput) {
  if (!fields) return unselectedAsked(route, resource, linkage)
  const related = relatedParts(resource.attributes, fields)
  const own = fields.filter((name) => !resource.attributes[name]?.of).map(inPlatformWords)
  const names = [...own, ...related.map(({ relation }) => relation)]
  return [{ ...namesAsked(resource.type, names), given: 'fields' }, ...linksAsked([], related)]
}

/** the linkages of one relationship; paging is done here, so all of them are read */
const relationAsked = ({ from: { relation }, type }: Route): QueryParameter[] =>
  relation
    ? [
        namesAsked(relation.of, [relation.name]),
        { name: 'include', value: relation.name },
        namesAsked(type, [relation.cheapest]),
        { name: `limit[${relation.name}]`, value: String(relation.most) },
      ]
    : []

export function readAsked(route: Route, wishes: PlanInput): QueryParameter[] {
  const { query, cursor, ids } = wishes
  const { bare, relation, owner } = route.from
  if (relation) return relationAsked(route)
  const resource = bare ? undefined : route.returns
  return [
    ...(resource ? fieldsAsked(route, resource, wishes) : []),
    ...(owner ? [{ name: `filter[${owner.filter}]`, value: ids[owner.id] ?? '', isId: true as const }] : []),
    ...filtersAsked(route, query),
    ...(query.sort === undefined ? [] : [{ name: 'sort', value: query.sort, given: 'sort' }]),
    ...(isList(route) ? [limitAsked(query, wishes.limit)] : []),
    ...(cursor === undefined ? [] : [{ name: 'cursor', value: cursor, given: 'cursor' }]),
  ]
}

type Needed = readonly (readonly [name: string, asked: QueryParameter])[]
const neededFilters = new WeakMap<Route, Needed>()

/** filters without which the platform refuses the read, with all their values */
function neededOf(route: Route): Needed {
  const known = neededFilters.get(route)
  if (known) return known
  const needed = Object.entries(route.filters).flatMap(([name, { as, values = [], isNeeded }]) =>
    isNeeded ? [[name, { name: as, value: values.join(',') }] as const] : [],
  )
  neededFilters.set(route, needed)
  return needed
}

function filtersAsked(route: Route, query: RouteQuery): QueryParameter[] {
  const asked: QueryParameter[] = []
  for (const [name, value] of query.filters) {
    const { as = name, values } = route.filters[name] ?? {}
    asked.push({ name: as, value: values ? value.split(',').map(inPlatformWords).join(',') : value, given: name })
  }
  for (const [name, needed] of neededOf(route)) if (!query.filters.has(name)) asked.push(needed)
  return asked
}

const standardLimit = preEncoded({ name: 'limit', value: String(pageSize.standard) })

/** Always sent; reported as the caller's parameter only if the caller gave it. */
function limitAsked({ limit }: RouteQuery, left = limit): QueryParameter {
  if (left === undefined) return standardLimit
  return { name: 'limit', value: String(left), ...(limit !== undefined && { given: 'limit' }) }
}
