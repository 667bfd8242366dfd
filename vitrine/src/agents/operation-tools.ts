// The tools `find_operations`, which finds operations by the words of a question, and `describe_operation`, which says what one
// takes and returns. They send nothing to the platform.
import { type Field, isList, type Resource, type Route } from '../catalogue/define.ts'
import { exampleParams } from '../catalogue/examples.ts'
import { appScopeOf } from '../catalogue/ownership.ts'
import { personalFields, withoutPersonal } from '../catalogue/personal.ts'
import { pathNames, queryParameters } from '../catalogue/parameters.ts'
import { wayTo, type WayStep } from '../catalogue/ways.ts'
import { idType, linkageType, typeName } from '../catalogue/descriptions.ts'
import { Problem } from '../problems.ts'
import type { ToolContext, ToolOutput } from './tool-context.ts'
import { findRoute } from './arguments.ts'
import { describeParameter, sourceNames } from './source-names.ts'
import { isUntrusted } from './untrusted-fields.ts'
import { parameterProblem } from '../../../base/web/target.ts'
import { quote } from '../../../base/core/quote.ts'

const mostFound = 12

const stopWords = new Set(
  'a all an and any are do does every find for from get give has have how i in is it list me my of on or our read show that the their this to today week what when where which who with'.split(
    ' ',
  ),
)

const stemsOf = (text: string): string[] =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1 && !stopWords.has(word))
    .map((word) => word.replace(/(?<=\w{3})s$/, ''))

/** A word of its name counts more than one of its fields. */
function scoreOf(route: Route, wanted: readonly string[]): number {
  const { operation, summary, group, path, about = '', returns, filters } = route
  const names = new Set(stemsOf(`${operation} ${summary}`))
  const around = new Set(stemsOf(`${group} ${path} ${about}`))
  const fields = Object.entries({ ...returns?.attributes, ...filters }).flatMap(([name, field]) => [name, field.about])
  const inside = new Set(stemsOf(fields.join(' ')))
  return wanted.reduce(
    (sum, word) => sum + (names.has(word) ? 4 : 0) + (around.has(word) ? 2 : 0) + (inside.has(word) ? 1 : 0),
    0,
  )
}

function rowOf(route: Route, routes: readonly Route[]) {
  const { operation, summary, group, shape, isBeyond } = route
  const names = pathNames(route)
  const needs = names.map((name): [string, string] => {
    const sources = sourceNames(name, route, routes)
    return [name, sources.length > 0 ? sources.join(', ') : describeParameter(name, route, routes)]
  })
  const told = { operation, summary, group, returns: shape, ...(isBeyond && { beyondTheContract: true }) }
  const way = wayTo(route, routes) ?? []
  return {
    ...told,
    ...(names.length > 0 && { needs: Object.fromEntries(needs) }),
    ...(way.length > 1 && { way: way.map(wayWords) }),
  }
}

/** how an agent gets an id: which read, and which field of its rows */
const wayWords = ({ gives, operation, field }: WayStep): string => `${gives}: ${operation} → ${field}`

export async function findOperations(
  { query = '', group }: { readonly query?: string; readonly group?: string },
  { reader, routes, signal }: ToolContext,
): Promise<ToolOutput> {
  const { connections, groups, apps = null } = await reader.whoami(signal)
  const open = routes.filter((route) => groups.includes(route.group) && (!apps || !appScopeOf(route).refused))
  if (group !== undefined && !groups.includes(group))
    throw parameterProblem('value_not_allowed', 'group', `This key has no group ${quote(group)}.`, groups, group)
  const inGroup = group === undefined ? open : open.filter((route) => route.group === group)
  const wanted = stemsOf(query)
  const scored = inGroup
    .map((route) => ({ route, score: scoreOf(route, wanted) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || Number(isList(b.route)) - Number(isList(a.route)))
    .map(({ route }) => route)
  const found = scored.length > 0 ? scored.slice(0, mostFound) : inGroup
  const left = scored.length - found.length
  return {
    // agents seldom know the date
    now: new Date().toISOString(),
    connections,
    complete: left <= 0,
    ...(left > 0 && { why: `${left} that fit less well are left out: use other words, or none.` }),
    ...(wanted.length > 0 && scored.length === 0 && { note: 'Nothing fits these words: here is everything.' }),
    rows: found.map((route) => rowOf(route, routes)),
  }
}

const fieldOf = (name: string, field: Field, of: Resource) => ({
  name,
  kind: typeName(field),
  ...(field.about !== undefined && { about: field.about }),
  ...(field.values && { values: field.values }),
  ...(isUntrusted(field.items ?? field, of) && { writtenBy: 'end-user' }),
})

const shapes = {
  one: 'One row.',
  page: 'Rows, in pages: read_all reads all of them; read returns one page and nextCursor.',
  ids: 'Ids alone, in pages: read_all reads all of them; read returns one page and nextCursor.',
  id: 'One row with an id, which may be null.',
} as const

function parametersOf(route: Route, routes: readonly Route[]) {
  const inPath = pathNames(route).map((name) => {
    const sources = sourceNames(name, route, routes)
    return {
      name,
      required: true,
      about: describeParameter(name, route, routes),
      ...(sources.length > 0 && { from: sources }),
    }
  })
  const inQuery = queryParameters(route).map(({ name, about, values, kind }) => ({
    name,
    about,
    ...(values && kind !== 'fields' && { values }),
  }))
  return [...inPath, ...inQuery]
}

export async function describeOperation(
  { operation }: { operation: string },
  { reader, routes, signal }: ToolContext,
): Promise<ToolOutput> {
  const complete = findRoute(operation, routes)
  const { groups, personal, apps } = await reader.whoami(signal)
  const route = personal === false ? withoutPersonal(complete) : complete
  const { group, summary, about, returns, shape } = route
  // the same error as for a read
  if (!groups.includes(group)) throw new Problem('group_not_granted', { details: { group } })
  const { refused } = appScopeOf(route)
  if (apps && refused !== undefined) throw new Problem('route_not_for_apps', { message: refused })
  const { attributes = {}, links = {} } = returns ?? {}
  return {
    operation,
    group,
    summary,
    ...(about !== undefined && { about }),
    returns: shapes[shape],
    parameters: parametersOf(route, routes),
    ...(returns && {
      fields: [
        { name: 'id', kind: idType },
        ...Object.entries(attributes).map(([name, field]) => fieldOf(name, field, returns)),
        ...Object.entries(links).map(([name, link]) => ({ name, kind: linkageType, about: link.about })),
      ],
    }),
    ...(route.complete && { withheld: { fields: personalFields(route.complete), grant: 'personal' } }),
    example: { operation, params: exampleParams(route) },
  }
}
