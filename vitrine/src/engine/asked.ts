// The query of a route's read: fields, linkages, filters, order and paging, in the platform's words.
import { isList, type Link, type Resource, type Route } from '../catalogue/define.ts'
import { pageSize } from '../catalogue/parameters.ts'
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

export interface PlanInput {
  readonly ids: Readonly<Record<string, string>>
  readonly query: RouteQuery
  readonly cursor?: string | undefined
  readonly linkage: boolean
}

const inPlatformWords = (name: string): string => vocabulary[name] ?? name

export const namesAsked = (type: string, names: readonly string[]): QueryParameter => ({
  name: `fields[${type}]`,
  value: names.join(','),
})

/** only documented fields: the platform's default page is four times as large */
function allAsked({ type, attributes, links }: Resource): QueryParameter[] {
  const names = Object.keys(attributes).map(inPlatformWords)
  const all = [...names, ...Object.values(links).map((link) => link.relation)]
  return all.length > 0 ? [namesAsked(type, all)] : []
}

/** `include` returns related resources; one cheap field keeps them small */
function linksAsked(links: readonly Link[]): QueryParameter[] {
  if (links.length === 0) return []
  const cheapest = new Map<string, Set<string>>()
  for (const link of links) cheapest.set(link.type, (cheapest.get(link.type) ?? new Set()).add(link.cheapest))
  return [
    { name: 'include', value: links.map((link) => link.relation).join(',') },
    ...[...cheapest].map(([type, fields]) => namesAsked(type, [...fields])),
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
      ...linksAsked(linksOf(resource, route.asks ?? [], wanted)).map(preEncoded),
    ]
    known = { plain: withLinks(false), linked: withLinks(true) }
    unselected.set(route, known)
  }
  return linkage ? known.linked : known.plain
}

const fieldsAsked = (route: Route, resource: Resource, { query: { fields }, linkage }: PlanInput) =>
  fields
    ? [{ ...namesAsked(resource.type, fields.map(inPlatformWords)), given: 'fields' }]
    : unselectedAsked(route, resource, linkage)

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
    ...(isList(route) ? [limitAsked(query)] : []),
    ...(cursor === undefined ? [] : [{ name: 'cursor', value: cursor, given: 'cursor' }]),
  ]
}

function filtersAsked({ filters }: Route, query: RouteQuery): QueryParameter[] {
  const given = [...query.filters].map(([name, value]): QueryParameter => {
    const { as = name, values } = filters[name] ?? {}
    return { name: as, value: values ? value.split(',').map(inPlatformWords).join(',') : value, given: name }
  })
  const needed = Object.entries(filters).filter(([name, { isNeeded }]) => isNeeded && !query.filters.has(name))
  return [...given, ...needed.map(([, { as, values = [] }]) => ({ name: as, value: values.join(',') }))]
}

const standardLimit = preEncoded({ name: 'limit', value: String(pageSize.standard) })

/** Always sent; reported as the caller's parameter only if the caller gave it. */
const limitAsked = ({ limit }: RouteQuery): QueryParameter =>
  limit === undefined ? standardLimit : { name: 'limit', value: String(limit), given: 'limit' }
