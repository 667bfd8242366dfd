// Reads a request: from its path to a route of the catalogue and the ids in it, then its query against the parameters of that
// route. Nothing is ignored, clamped or trimmed.
import type { Route } from '../catalogue/define.ts'
import { pageSize, type Parameter, queryParameters, connectionPath } from '../catalogue/parameters.ts'
import { personalIn } from '../catalogue/personal.ts'
import { Problem } from '../problems.ts'
import {
  decodeSegment,
  idsOf,
  parameterProblem,
  type PathPattern,
  patternOf,
  readQueryString,
} from '../../../base/web/target.ts'
import { quote } from '../../../base/core/quote.ts'

export interface Match {
  readonly route: Route
  readonly connection: string
  readonly ids: Readonly<Record<string, string>>
}

interface Row {
  readonly route: Route
  readonly pattern: PathPattern
}

const root = connectionPath.slice(0, connectionPath.indexOf('{'))

export function createMatcher(routes: readonly Route[]): (path: string) => Match | undefined {
  // few routes share both first segment and length
  const shelves = new Map<string | undefined, Row[][]>()
  for (const route of routes) {
    const pattern = patternOf(route.path)
    const first = pattern[1]?.text
    const byLength = shelves.get(first) ?? []
    shelves.set(first, byLength)
    byLength[pattern.length] = [...(byLength[pattern.length] ?? []), { route, pattern }]
  }
  return (path) => {
    if (!path.startsWith(root)) return undefined
    const segments = path.slice(root.length).split('/')
    const rows = shelves.get(segments[1])?.[segments.length]
    const connection = rows && decodeSegment(segments[0] ?? '')
    if (connection === undefined) return undefined
    segments[0] = ''
    for (const { route, pattern } of rows ?? []) {
      const ids = idsOf(pattern, segments)
      if (ids) return { route, connection, ids }
    }
    return undefined
  }
}

export interface RouteQuery {
  readonly filters: ReadonlyMap<string, string>
  readonly sort?: string
  readonly fields?: readonly string[]
  readonly limit?: number
  readonly cursor?: string
}

/** digits only: Number() would accept "1e2", " 5" and "0x10" */
function readLimit(value: string): number {
  const limit = /^[1-9]\d{0,2}$/.test(value) ? Number(value) : 0
  if (limit < 1 || limit > pageSize.most)
    throw new Problem('value_not_allowed', {
      message: `"limit" is a whole number from 1 to ${pageSize.most}.`,
      param: 'limit',
      details: { minimum: 1, maximum: pageSize.most },
    })
  return limit
}

function readListValue({ name, values, kind, isSingle }: Parameter, value: string): readonly string[] {
  const members = value.split(',')
  if (isSingle && members.length > 1)
    throw parameterProblem('value_not_allowed', name, `"${name}" takes one value.`, values)
  for (const member of members) {
    if (member === '') throw parameterProblem('empty_parameter', name, `"${name}" holds an empty member.`)
    if (/\p{Cc}/u.test(member))
      throw parameterProblem('value_not_allowed', name, `"${name}" holds a control character.`)
    if (values && !values.includes(member))
      throw parameterProblem('value_not_allowed', name, `"${name}" does not allow ${quote(member)}.`, values, member)
  }
  const keys = kind === 'sort' ? members.map((m) => m.replace(/^-/, '')) : members
  if (kind !== 'filter' && new Set(keys).size < keys.length)
    throw parameterProblem('value_not_allowed', name, `"${name}" names something twice.`)
  return members
}

const parametersOf = new WeakMap<Route, readonly Parameter[]>()

const refusePersonal = (param: string, names: readonly string[]): Problem =>
  new Problem('personal_not_granted', {
    message: `"${param}" concerns personal data (${names.join(', ')}), and this key does not have the grant "personal".`,
    param,
    details: { grant: 'personal' },
  })

/** Refuses to select, sort or filter by what the key is not shown: each would reveal it. */
function requirePersonal({ fields = [], sort, filters }: RouteQuery, route: Route, complete: Route) {
  const [selected, sorted] = [
    personalIn(complete, 'fields', fields),
    personalIn(complete, 'sort', sort?.split(',') ?? []),
  ]
  if (selected.length > 0) throw refusePersonal('fields', selected)
  if (sorted.length > 0) throw refusePersonal('sort', sorted)
  const filter = [...filters.keys()].find((name) => !Object.hasOwn(route.filters, name))
  if (filter !== undefined) throw refusePersonal(filter, [filter])
}

const nothingAsked: RouteQuery = { filters: new Map() }

export function readRouteQuery(route: Route, raw: string): RouteQuery {
  if (raw === '') return nothingAsked
  if (!route.complete) return readCompleteQuery(route, raw)
  const query = readCompleteQuery(route.complete, raw)
  requirePersonal(query, route, route.complete)
  return query
}

function readCompleteQuery(route: Route, raw: string): RouteQuery {
  const parameters = parametersOf.get(route) ?? queryParameters(route)
  parametersOf.set(route, parameters)
  const given = readQueryString(
    raw,
    parameters.map(({ name }) => name),
  )
  const query: { -readonly [K in keyof RouteQuery]: RouteQuery[K] } = { filters: new Map() }
  const filters = new Map<string, string>()
  for (const parameter of parameters) {
    const value = given.get(parameter.name)
    if (value === undefined) continue
    if (parameter.kind === 'limit') query.limit = readLimit(value)
    else if (parameter.kind === 'cursor') query.cursor = value
    else {
      const members = readListValue(parameter, value)
      if (parameter.kind === 'fields') query.fields = members
      else if (parameter.kind === 'sort') query.sort = value
      else filters.set(parameter.name, value)
    }
  }
  return { ...query, filters }
}
