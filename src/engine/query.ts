// From the raw query string to a checked query. Strict: nothing is ignored, clamped or trimmed, and every refusal names
// the parameter, what is allowed, and the nearest allowed name.
import type { Route } from '../catalogue/define.ts'
import { pageSize, type Parameter, queryParameters } from '../catalogue/parameters.ts'
import { Problem } from '../problem.ts'
import { readGiven, refuse } from './given.ts'
import { quote } from './quote.ts'

export interface Query {
  readonly filters: ReadonlyMap<string, string>
  readonly sort?: string
  readonly fields?: readonly string[]
  /** absent: the standard page */
  readonly limit?: number
  readonly cursor?: string
}

/** plain digits only: what Number() would also take ("1e2", " 5", "0x10") is somebody's mistake */
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

/** the members of a comma-separated value, each checked against the listed ones */
function readList({ name, values, kind }: Parameter, value: string): readonly string[] {
  const members = value.split(',')
  for (const member of members) {
    if (member === '') throw refuse('empty_parameter', name, `"${name}" holds an empty member.`)
    if (/\p{Cc}/u.test(member)) throw refuse('value_not_allowed', name, `"${name}" holds a control character.`)
    if (values && !values.includes(member))
      throw refuse('value_not_allowed', name, `"${name}" does not allow ${quote(member)}.`, values, member)
  }
  const keys = kind === 'sort' ? members.map((m) => m.replace(/^-/, '')) : members
  if (kind !== 'filter' && new Set(keys).size < keys.length)
    throw refuse('value_not_allowed', name, `"${name}" names something twice.`)
  return members
}

/** definitions never change */
const parametersOf = new WeakMap<Route, readonly Parameter[]>()

export function readQuery(route: Route, raw: string): Query {
  if (raw === '') return { filters: new Map() }
  const parameters = parametersOf.get(route) ?? queryParameters(route)
  parametersOf.set(route, parameters)
  const given = readGiven(
    raw,
    parameters.map(({ name }) => name),
  )
  const query: { -readonly [K in keyof Query]: Query[K] } = { filters: new Map() }
  const filters = new Map<string, string>()
  for (const parameter of parameters) {
    const value = given.get(parameter.name)
    if (value === undefined) continue
    if (parameter.kind === 'limit') query.limit = readLimit(value)
    else if (parameter.kind === 'cursor') query.cursor = value
    else {
      const members = readList(parameter, value)
      if (parameter.kind === 'fields') query.fields = members
      else if (parameter.kind === 'sort') query.sort = value
      else filters.set(parameter.name, value)
    }
  }
  return { ...query, filters }
}
