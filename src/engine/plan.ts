// What the platform will be asked, as data: at most one lookup (a locale, or a membership) and then the read that answers.
import type { Resource, Route } from '../catalogue/define.ts'
import { pageSize } from '../catalogue/parameters.ts'
import { vocabulary } from '../catalogue/vocabulary.ts'
import { Problem } from '../problem.ts'
import type { Query } from './query.ts'
import { address, type Asked, isAddressable, type Step, withIds } from './target.ts'

/** A listing that is followed page by page until it has settled one question. */
export interface Lookup extends Step {
  readonly purpose: 'locale' | 'membership'
  readonly type: string
  readonly wanted: string
}

export interface Plan {
  readonly lookup?: Lookup
  readonly read: Step
}

export interface Wishes {
  readonly ids: Readonly<Record<string, string>>
  readonly query: Query
  /** the platform's cursor, from the second page on */
  readonly cursor?: string | undefined
  /** whether to-one relationships are asked for by `include` */
  readonly linkage: boolean
}

const json = 'application/json'
const inPlatformWords = (name: string): string => vocabulary[name] ?? name

/** exactly what is documented, or exactly what is selected: a default page is four times as large */
function fieldsAsked(resource: Resource, { query }: Wishes): Asked[] {
  const names = query.fields ?? Object.keys(resource.attributes)
  const relations = query.fields ? [] : Object.values(resource.links).map((link) => link.relation)
  const value = [...names.map(inPlatformWords), ...relations].join(',')
  return value === '' ? [] : [{ name: `fields[${resource.type}]`, value, ...(query.fields && { given: 'fields' }) }]
}

/** related resources come along with `include`; one cheap field keeps them small */
function linksAsked(resource: Resource, { query, linkage }: Wishes): Asked[] {
  const links = Object.values(resource.links)
  if (!linkage || query.fields || links.length === 0) return []
  const cheapest = new Map<string, Set<string>>()
  for (const link of links) cheapest.set(link.type, (cheapest.get(link.type) ?? new Set()).add(link.cheapest))
  return [
    { name: 'include', value: links.map((link) => link.relation).join(',') },
    ...[...cheapest].map(([type, fields]) => ({ name: `fields[${type}]`, value: [...fields].join(',') })),
  ]
}

function readAsked(route: Route, wishes: Wishes): Asked[] {
  const { query, cursor } = wishes
  const resource = route.from.bare ? undefined : route.returns
  return [
    ...(resource ? [...fieldsAsked(resource, wishes), ...linksAsked(resource, wishes)] : []),
    ...[...query.filters].map(([name, value]) => filterAsked(route, name, value)),
    ...(query.sort === undefined ? [] : [{ name: 'sort', value: query.sort, given: 'sort' }]),
    ...(isPaged(route) ? [limitAsked(query)] : []),
    ...(cursor === undefined ? [] : [{ name: 'cursor', value: cursor, given: 'cursor' }]),
  ]
}

function filterAsked(route: Route, name: string, value: string): Asked {
  const { as = name, values } = route.filters[name] ?? {}
  return { name: as, value: values ? value.split(',').map(inPlatformWords).join(',') : value, given: name }
}

/** always sent, and laid at the caller's door only where it is his */
const limitAsked = ({ limit }: Query): Asked =>
  limit === undefined
    ? { name: 'limit', value: String(pageSize.standard) }
    : { name: 'limit', value: String(limit), given: 'limit' }

export const isPaged = (route: Route): boolean => route.shape === 'page' || route.shape === 'ids'

function planLookup(route: Route, ids: Wishes['ids']): Lookup | undefined {
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

export function planReads(route: Route, wishes: Wishes): Plan {
  const { read, bare } = route.from
  const lookup = planLookup(route, wishes.ids)
  const step = { endpoint: read, ids: wishes.ids, asked: readAsked(route, wishes), accept: bare?.mediaType ?? json }
  return { ...(lookup && { lookup }), read: step }
}

/** refuses ids that are not one plain path segment, and requests that the platform would choke on */
export function checkPlan({ lookup, read }: Plan, origin: string) {
  const resolved = { localizationId: 'x'.repeat(36) }
  for (const step of lookup ? [lookup, read] : [read]) address(withIds(step, resolved), origin)
  if (lookup?.purpose === 'locale' && !isAddressable(lookup.wanted)) throw new Problem('localization_not_found')
}
