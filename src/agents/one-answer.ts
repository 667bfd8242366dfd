// One answer, for the tool that reads one: a resource, or a page, which is cut only between rows, and says so.
import { isList } from '../catalogue/define.ts'
import { bounds } from './bounds.ts'
import type { Desk, ReadCall, Told } from './desk.ts'
import { everything, fromOf } from './moments.ts'
import { pageOf, takePage, type Wanted } from './pages.ts'
import { askThrough } from './port.ts'
import { connectionFor, readParams, routeNamed } from './question.ts'
import { marksOf } from './words-of-others.ts'

export async function readOnce(
  { operation, connection: given, params: asGiven = {} }: ReadCall,
  desk: Desk,
): Promise<Told> {
  const { glass, routes, signal } = desk
  const route = routeNamed(operation, routes)
  const params = readParams(route, asGiven, routes)
  const connection = await connectionFor(given, glass, signal)
  let requestId: string | undefined
  const ask = async ({ limit }: Pick<Wanted, 'limit'>) => {
    const asked = { operation, connection, params: limit === undefined ? params : { ...params, limit } }
    const answered = await askThrough(glass, asked, signal)
    ;({ requestId } = answered)
    return pageOf(route, answered)
  }
  const room = { rows: Number.POSITIVE_INFINITY, bytes: bounds.bytes, isEmpty: true }
  const { rows, at, full } = await takePage({ cursor: undefined, limit: undefined }, ask, everything, room)
  return {
    ...{ operation, connection, complete: at === null },
    ...(full ? { why: 'bytes' } : at !== null && { why: 'page' }),
    ...(isList(route) && { nextCursor: at }),
    ...fromOf(params),
    ...marksOf(route, rows),
    ...(requestId !== undefined && { requestId }),
    rows,
  }
}
