// From what an agent gives to a question that can be put: operation, connection, the values of its path.
import type { Route } from '../catalogue/define.ts'
import { connectionPath, pathNames } from '../catalogue/parameters.ts'
import { refuse } from '../engine/given.ts'
import { didYouMean, nearestOf } from '../engine/nearest.ts'
import { quote } from '../engine/quote.ts'
import { Problem } from '../problem.ts'
import type { Asked, Glass, Params } from './port.ts'
import { sourceNames, unlisted } from './source-names.ts'

export function routeNamed(operation: string, routes: readonly Route[]): Route {
  const found = routes.find((route) => route.operation === operation)
  if (found) return found
  const nearest = nearestOf(
    operation,
    routes.map((route) => route.operation),
  )
  throw new Problem('route_not_found', {
    message: `There is no operation ${quote(operation)}.${didYouMean(nearest)} find_operations lists them.`,
    param: 'operation',
    ...(nearest !== undefined && { details: { nearest } }),
  })
}

const mostListed = 50

/** the one that is named, or the only one that the key reads */
export async function connectionFor(given: string | undefined, glass: Glass, signal: AbortSignal): Promise<string> {
  const named = given ?? glass.connection
  if (named !== undefined) return named
  const { connections } = await glass.whoami(signal)
  const [only, ...others] = connections
  if (only === undefined) throw new Problem('connection_not_found', { message: 'This key reads no connection.' })
  if (others.length === 0) return only
  const more = connections.length > mostListed ? ` (${mostListed} of ${connections.length})` : ''
  const said = `This key reads more than one connection${more}: name one.`
  throw refuse('value_not_allowed', 'connection', said, connections.slice(0, mostListed))
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined

function unusable(name: string, route: Route, routes: readonly Route[]): Problem {
  const sources = sourceNames(name, route, routes)
  const from = sources.length > 0 ? `Its values come from ${sources.join(', ')}.` : unlisted
  return new Problem('value_not_allowed', {
    param: name,
    message: `"${name}" stands in the path of ${route.operation}: give one value, as text. ${from}`,
  })
}

/** each path parameter has its value; what is in the query is judged by the service */
export function checkPath(route: Route, params: Params, routes: readonly Route[]) {
  for (const name of pathNames(route)) {
    const text = textOf(params[name])
    if (text === undefined || text === '') throw unusable(name, route, routes)
  }
}

/** several values of one name stand in one text, separated by commas */
function written(name: string, value: unknown): string {
  const members = [value].flat().map(textOf)
  if (members.includes(undefined))
    throw refuse('value_not_allowed', name, `${quote(name)} takes text, a number, or a list of them.`)
  return members.join(',')
}

export interface Target {
  readonly path: string
  readonly query: string
}

/** the target of the read, escaped so that no value can become another part of it */
export function targetOf({ operation, connection, params }: Asked, routes: readonly Route[]): Target {
  const route = routeNamed(operation, routes)
  const inPath = new Set(pathNames(route))
  const values: Params = { ...params, connectionId: connection }
  const path = `${connectionPath}${route.path}`.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent((textOf(values[name]) ?? '').toWellFormed()),
  )
  const pairs = Object.entries(params)
    .filter(([name, value]) => !inPath.has(name) && value !== undefined && value !== null)
    .map(([name, value]) => [name, written(name, value)].map((part) => encodeURIComponent(part.toWellFormed())))
  return { path, query: pairs.map((pair) => pair.join('=')).join('&') }
}
