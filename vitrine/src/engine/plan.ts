// The platform calls of a request, as data: at most one lookup (a locale or a membership), then the read.
// Builds their URLs: a path template filled with ids, each exactly one path segment.
import { isList, type Resource, type Route } from '../catalogue/define.ts'
import { pageSize } from '../catalogue/parameters.ts'
import { vocabulary } from '../catalogue/vocabulary.ts'
import { Problem, malformed } from '../problems.ts'
import type { Purpose, PlatformRead } from './port.ts'
import type { RouteQuery } from './request.ts'

/** false for ids that could change the path, or mean nothing: empty, control characters, dot segments */
export const isAddressable = (id: string): boolean => /^[\w-]+$/.test(id) || isAddressableText(id)

const isAddressableText = (id: string): boolean =>
  id !== '' && !/\p{Cc}/u.test(id) && id.isWellFormed() && !id.split('/').some((part) => part === '.' || part === '..')

const hole = /\{(\w+)\}/g

export const placeholdersOf = (template: string): string[] => [...template.matchAll(hole)].map((m) => m[1] ?? '')

/** `encodeURIComponent('..')` is still `..`, hence the check before */
export function fillPath(template: string, ids: Readonly<Record<string, string>>): string {
  if (!template.includes('{')) return template
  const path = template.replace(hole, (_, name: string) => {
    const id = ids[name] ?? ''
    if (!isAddressable(id)) throw new Problem('resource_not_found')
    return encodeURIComponent(id)
  })
  if (path.split('/').length !== template.split('/').length) throw malformed('a filled path changed its shape')
  return path
}

/** the platform answers 500 to longer URLs */
const longestUrl = 4096

export const isTooLong = (origin: string, target: string): boolean =>
  Buffer.byteLength(origin) + target.length > longestUrl

export interface QueryParameter {
  readonly name: string
  readonly value: string
  readonly given?: string
  /** already encoded: the same for every request */
  readonly encoded?: string
}

const encode = ({ name, value }: QueryParameter): string => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`

/** Encoding the names of all fields takes longer than the rest of a request. */
const preEncoded = (asked: QueryParameter): QueryParameter => ({ ...asked, encoded: encode(asked) })

export interface Step {
  readonly endpoint: string
  readonly ids: Readonly<Record<string, string>>
  readonly asked: readonly QueryParameter[]
  readonly accept: string
  readonly withheld?: true
}

export const withIds = <S extends Step>(step: S, ids: Step['ids']): S => ({ ...step, ids: { ...step.ids, ...ids } })

/** the id at the end of an endpoint such as `/v1/appEvents/{eventId}`; the answer must have it */
export function lastId({ endpoint, ids }: Step): string | undefined {
  return endpoint.endsWith('}') ? ids[endpoint.slice(endpoint.lastIndexOf('{') + 1, -1)] : undefined
}

export function buildRead({ endpoint, ids, asked, accept, withheld }: Step, origin: string): PlatformRead {
  const query = asked.map((one) => one.encoded ?? encode(one)).join('&')
  if (isTooLong(origin, query)) throw new Problem('request_too_long')
  const path = fillPath(endpoint, ids)
  const target = query === '' ? path : `${path}?${query}`
  if (isTooLong(origin, target)) throw new Problem('request_too_long')
  const given = new Map<string, string>()
  for (const one of asked) if (one.given !== undefined) given.set(one.name, one.given)
  return withheld ? { target, accept, given, withheld } : { target, accept, given }
}

export interface Lookup extends Step {
  readonly purpose: Exclude<Purpose, 'answer'>
  readonly type: string
  readonly wanted: string
}

export interface Plan {
  readonly lookup?: Lookup
  readonly read: Step
}

export interface PlanInput {
  readonly ids: Readonly<Record<string, string>>
  readonly query: RouteQuery
  readonly cursor?: string | undefined
  readonly linkage: boolean
}

const json = 'application/json'
const inPlatformWords = (name: string): string => vocabulary[name] ?? name

const namesAsked = (type: string, names: readonly string[]): QueryParameter => ({
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
function linksAsked(resource: Resource): QueryParameter[] {
  const links = Object.values(resource.links)
  if (links.length === 0) return []
  const cheapest = new Map<string, Set<string>>()
  for (const link of links) cheapest.set(link.type, (cheapest.get(link.type) ?? new Set()).add(link.cheapest))
  return [
    { name: 'include', value: links.map((link) => link.relation).join(',') },
    ...[...cheapest].map(([type, fields]) => namesAsked(type, [...fields])),
  ]
}

const unselected = new WeakMap<Resource, Record<'plain' | 'linked', readonly QueryParameter[]>>()

function unselectedAsked(resource: Resource, linkage: boolean): readonly QueryParameter[] {
  let known = unselected.get(resource)
  if (!known) {
    const plain = allAsked(resource).map(preEncoded)
    known = { plain, linked: [...plain, ...linksAsked(resource).map(preEncoded)] }
    unselected.set(resource, known)
  }
  return linkage ? known.linked : known.plain
}

const fieldsAsked = (resource: Resource, { query: { fields }, linkage }: PlanInput): readonly QueryParameter[] =>
  fields
    ? [{ ...namesAsked(resource.type, fields.map(inPlatformWords)), given: 'fields' }]
    : unselectedAsked(resource, linkage)

function readAsked(route: Route, wishes: PlanInput): QueryParameter[] {
  const { query, cursor } = wishes
  const resource = route.from.bare ? undefined : route.returns
  return [
    ...(resource ? fieldsAsked(resource, wishes) : []),
    ...[...query.filters].map(([name, value]) => filterAsked(route, name, value)),
    ...(query.sort === undefined ? [] : [{ name: 'sort', value: query.sort, given: 'sort' }]),
    ...(isList(route) ? [limitAsked(query)] : []),
    ...(cursor === undefined ? [] : [{ name: 'cursor', value: cursor, given: 'cursor' }]),
  ]
}

function filterAsked(route: Route, name: string, value: string): QueryParameter {
  const { as = name, values } = route.filters[name] ?? {}
  return { name: as, value: values ? value.split(',').map(inPlatformWords).join(',') : value, given: name }
}

const standardLimit = preEncoded({ name: 'limit', value: String(pageSize.standard) })

/** Always sent; reported as the caller's parameter only if the caller gave it. */
const limitAsked = ({ limit }: RouteQuery): QueryParameter =>
  limit === undefined ? standardLimit : { name: 'limit', value: String(limit), given: 'limit' }

function planLookup(route: Route, ids: PlanInput['ids']): Lookup | undefined {
  const { guard, resolve } = route.from
  const limit = { name: 'limit', value: String(pageSize.most) }
  if (resolve) {
    const asked = [{ name: `fields[${resolve.type}]`, value: 'locale' }, limit]
    const wanted = ids['locale'] ?? ''
    return { purpose: 'locale', endpoint: resolve.locale, ids, asked, accept: json, type: resolve.type, wanted }
  }
  if (guard) {
    const wanted = ids[guard.child] ?? ''
    return { purpose: 'membership', endpoint: guard.isIn, ids, asked: [limit], accept: json, type: guard.type, wanted }
  }
  return undefined
}

export function planReads(route: Route, wishes: PlanInput): Plan {
  const { read, bare } = route.from
  const lookup = planLookup(route, wishes.ids)
  const step = { endpoint: read, ids: wishes.ids, asked: readAsked(route, wishes), accept: bare?.mediaType ?? json }
  const withheld = route.neverCached !== undefined
  return { ...(lookup && { lookup }), read: withheld ? { ...step, withheld } : step }
}

/** refuses ids that are not one path segment, and URLs that are too long for the platform */
export function checkPlan({ lookup, read }: Plan, origin: string) {
  const resolved = { localizationId: 'x'.repeat(36) }
  for (const step of lookup ? [lookup, read] : [read]) buildRead(withIds(step, resolved), origin)
  if (lookup?.purpose === 'locale' && !isAddressable(lookup.wanted)) throw new Problem('localization_not_found')
}
