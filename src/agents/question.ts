// From what an agent gives to a question that can be put: operation, connection, parameters.
import { readArguments, readConnection, type RefuseArgument, writeTarget } from '../../client/parts/arguments.ts'
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

const refuseArgument: RefuseArgument = (code, param, said) =>
  param === undefined ? new Problem(code, { message: said }) : refuse(code, param, `${quote(param)} ${said}`)

const mostListed = 50

/** the one that is named, or the only one that the key reads */
export async function connectionFor(given: unknown, glass: Glass, signal: AbortSignal): Promise<string> {
  const named = given === undefined ? glass.connection : given
  if (named !== undefined) return readConnection(named, refuseArgument)
  const { connections } = await glass.whoami(signal)
  const [only, ...others] = connections
  if (only === undefined) throw new Problem('connection_not_found', { message: 'This key reads no connection.' })
  if (others.length === 0) return only
  const more = connections.length > mostListed ? ` (${mostListed} of ${connections.length})` : ''
  const said = `This key reads more than one connection${more}: name one.`
  throw refuse('value_not_allowed', 'connection', said, connections.slice(0, mostListed))
}

/** with the operations that list what is wanted */
const refuseFor =
  (route: Route, routes: readonly Route[]): RefuseArgument =>
  (code, param, said) => {
    if (param === undefined || code !== 'value_not_allowed' || !pathNames(route).includes(param))
      return refuseArgument(code, param, said)
    const sources = sourceNames(param, route, routes)
    const from = sources.length > 0 ? `Its values come from ${sources.join(', ')}.` : unlisted
    return refuseArgument(code, param, `${said} ${from}`)
  }

/** Each parameter as the text that is asked with. Whether the query is one of this operation, the service judges. */
export function readParams(route: Route, params: Params, routes: readonly Route[]): Readonly<Record<string, string>> {
  return Object.fromEntries(readArguments(params, pathNames(route), refuseFor(route, routes)))
}

export interface Target {
  readonly path: string
  readonly query: string
}

/** the target of the read, escaped so that no value can become another part of it */
export function targetOf({ operation, connection, params }: Asked, routes: readonly Route[]): Target {
  const route = routeNamed(operation, routes)
  const texts = new Map(Object.entries(readParams(route, params, routes)))
  return writeTarget(connectionPath + route.path, connection, texts, refuseArgument)
}
