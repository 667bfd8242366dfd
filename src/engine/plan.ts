// What the platform will be asked, as data: at most one lookup (a locale, or a membership) and then the read that answers.
import { isList, type Resource, type Route } from '../catalogue/define.ts'
import { pageSize } from '../catalogue/parameters.ts'
import { vocabulary } from '../catalogue/vocabulary.ts'
import { Problem } from '../problem.ts'
import type { Purpose } from './port.ts'
import type { Query } from './query.ts'
import { address, type Asked, encodedOnce, isAddressable, type Step, withIds } from './target.ts'

/** A listing that is followed page by page until it has settled one question. */
export interface Lookup extends Step {
  readonly purpose: Exclude<Purpose, 'answer'>
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

const namesAsked = (type: string, names: readonly string[]): Asked => ({
  name: `fields[${type}]`,
  value: names.join(','),
})

/** exactly what is documented: a default page is four times as large */
function allAsked({ type, attributes, links }: Resource): Asked[] {
  const names = Object.keys(attributes).map(inPlatformWords)
  const all = [...names, ...Object.values(links).map((link) => link.relation)]
  return all.length > 0 ? [namesAsked(type, all)] : []
}

/** related resources come along with `include`; one cheap field keeps them small */
function linksAsked(resource: Resource): Asked[] {
  const links = Object.values(resource.links)
  if (links.length === 0) return []
  const cheapest = new Map<string, Set<string>>()
  for (const link of links) cheapest.set(link.type, (cheapest.get(link.type) ?? new Set()).add(link.cheapest))
  return [
    { name: 'include', value: links.map((link) => link.relation).join(',') },
    ...[...cheapest].map(([type, fields]) => namesAsked(type, [...fields])),
  ]
}

/** what is asked of a resource where nothing is selected: it follows from the definition, which never changes */
const unselected = new WeakMap<Resource, Record<'plain' | 'linked', readonly Asked[]>>()

function unselectedAsked(resource: Resource, linkage: boolean): readonly Asked[] {
  let known = unselected.get(resource)
  if (!known) {
    const plain = allAsked(resource).map(encodedOnce)
    known = { plain, linked: [...plain, ...linksAsked(resource).map(encodedOnce)] }
    unselected.set(resource, known)
  }
  return linkage ? known.linked : known.plain
}

/** exactly what is selected, or all */
const fieldsAsked = (resource: Resource, { query: { fields }, linkage }: Wishes): readonly Asked[] =>
  fields
    ? [{ ...namesAsked(resource.type, fields.map(inPlatformWords)), given: 'fields' }]
    : unselectedAsked(resource, linkage)

function readAsked(route: Route, wishes: Wishes): Asked[] {
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

function filterAsked(route: Route, name: string, value: string): Asked {
  const { as = name, values } = route.filters[name] ?? {}
  return { name: as, value: values ? value.split(',').map(inPlatformWords).join(',') : value, given: name }
}

const standardLimit = encodedOnce({ name: 'limit', value: String(pageSize.standard) })

/** always sent, and laid at the caller's door only where it is his */
const limitAsked = ({ limit }: Query): Asked =>
  limit === undefined ? standardLimit : { name: 'limit', value: String(limit), given: 'limit' }

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
  const withheld = route.neverRemembered !== undefined
  return { ...(lookup && { lookup }), read: withheld ? { ...step, withheld } : step }
}

/** refuses ids that are not one plain path segment, and requests that the platform would choke on */
export function checkPlan({ lookup, read }: Plan, origin: string) {
  const resolved = { localizationId: 'x'.repeat(36) }
  for (const step of lookup ? [lookup, read] : [read]) address(withIds(step, resolved), origin)
  if (lookup?.purpose === 'locale' && !isAddressable(lookup.wanted)) throw new Problem('localization_not_found')
}
