// Turns the arguments of a tool into a read: route, connection, parameters.
import { readArguments, readConnection, type RefuseArgument, writeTarget } from '../../client/parts/arguments.ts'
import type { Route } from '../catalogue/define.ts'
import { connectionPath, pathNames } from '../catalogue/parameters.ts'
import { parameterProblem, shownName } from '../../../base/web/target.ts'
import { didYouMean, nearestOf } from '../../../base/core/nearest.ts'
import { quote } from '../../../base/core/quote.ts'
import { Problem } from '../problems.ts'
import type { ReadRequest, Reader, Params } from './reader.ts'
import { sourceNames, unlisted } from './source-names.ts'

export function findRoute(operation: string, routes: readonly Route[]): Route {
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
  param === undefined
    ? new Problem(code, { message: said })
    : new Problem(code, { message: `${quote(param)} ${said}`, param: shownName(param) })

const mostListed = 50

/** The given connection, or the only one that the key reads. */
export async function chooseConnection(given: unknown, reader: Reader, signal: AbortSignal): Promise<string> {
  const named = given === undefined ? reader.connection : given
  if (named !== undefined) return readConnection(named, refuseArgument)
  const { connections } = await reader.whoami(signal)
  const [only, ...others] = connections
  if (only === undefined) throw new Problem('connection_not_found', { message: 'This key reads no connection.' })
  if (others.length === 0) return only
  const more = connections.length > mostListed ? ` (${mostListed} of ${connections.length})` : ''
  const said = `This key reads more than one connection${more}: name one.`
  throw parameterProblem('value_not_allowed', 'connection', said, connections.slice(0, mostListed))
}

const refuseFor =
  (route: Route, routes: readonly Route[]): RefuseArgument =>
  (code, param, said) => {
    if (param === undefined || code !== 'value_not_allowed' || !pathNames(route).includes(param))
      return refuseArgument(code, param, said)
    const sources = sourceNames(param, route, routes)
    const from = sources.length > 0 ? `Its values come from ${sources.join(', ')}.` : unlisted
    return refuseArgument(code, param, `${said} ${from}`)
  }

/** Each parameter as text. The service checks the query against the operation. */
export function readParams(route: Route, params: Params, routes: readonly Route[]): Readonly<Record<string, string>> {
  return Object.fromEntries(readArguments(params, pathNames(route), refuseFor(route, routes)))
}

export interface ReadTarget {
  readonly path: string
  readonly query: string
}

/** Values are escaped, so none can become another part of the target. */
export function readTargetOf({ operation, connection, params }: ReadRequest, routes: readonly Route[]): ReadTarget {
  const route = findRoute(operation, routes)
  const texts = new Map(Object.entries(readParams(route, params, routes)))
  return writeTarget(connectionPath + route.path, connection, texts, refuseArgument)
}
