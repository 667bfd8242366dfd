// The tool that finds what can be read, by words as people ask. It asks nothing of the platform.
import { isList, type Route } from '../catalogue/define.ts'
import { pathNames } from '../catalogue/parameters.ts'
import { refuse } from '../engine/given.ts'
import { quote } from '../engine/quote.ts'
import type { Desk, Told } from './desk.ts'
import { aboutOf, sourceNames } from './source-names.ts'

const mostFound = 12

/** of questions as people ask them; they tell no operation from another */
const idle = new Set(
  'a all an and any are do does every find for from get give has have how i in is it list me my of on or our read show that the their this to today week what when where which who with'.split(
    ' ',
  ),
)

/** words in lower case and without their plural */
const stemsOf = (text: string): string[] =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1 && !idle.has(word))
    .map((word) => word.replace(/(?<=\w{3})s$/, ''))

/** how well it fits: a word of its name counts more than one of its fields */
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
  const { operation, summary, group, shape } = route
  const names = pathNames(route)
  const needs = names.map((name): [string, string] => {
    const sources = sourceNames(name, route, routes)
    return [name, sources.length > 0 ? sources.join(', ') : aboutOf(name, route, routes)]
  })
  return { operation, summary, group, returns: shape, ...(names.length > 0 && { needs: Object.fromEntries(needs) }) }
}

export interface FindCall {
  readonly query?: string
  readonly group?: string
}

export async function findOperations({ query = '', group }: FindCall, { glass, routes, signal }: Desk): Promise<Told> {
  const { connections, groups } = await glass.whoami(signal)
  const open = routes.filter((route) => groups.includes(route.group))
  if (group !== undefined && !groups.includes(group))
    throw refuse('value_not_allowed', 'group', `This key has no group ${quote(group)}.`, groups, group)
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
    // agents seldom know the day
    ...{ now: new Date().toISOString(), connections, complete: left <= 0 },
    ...(left > 0 && { why: `${left} that fit less well are left out: use other words, or none.` }),
    ...(wanted.length > 0 && scored.length === 0 && { note: 'Nothing fits these words: here is everything.' }),
    rows: found.map((route) => rowOf(route, routes)),
  }
}
