// One answer, for the tool that reads one: a resource, or a page, which is cut only between rows, and says so.
import { isList } from '../catalogue/define.ts'
import { bounds } from './bounds.ts'
import type { Desk, ReadCall, Told } from './desk.ts'
import { everything } from './moments.ts'
import { pageOf, takePage } from './pages.ts'
import { askThrough } from './port.ts'
import { checkPath, connectionFor, routeNamed } from './question.ts'
import { marksOf } from './words-of-others.ts'

export async function readOnce({ operation, connection: given, params = {} }: ReadCall, desk: Desk): Promise<Told> {
  const { glass, routes, signal } = desk
  const route = routeNamed(operation, routes)
  checkPath(route, params, routes)
  const connection = await connectionFor(given, glass, signal)
  let requestId: string | undefined
  const ask = async ({ limit }: { limit: number | undefined }) => {
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
    ...marksOf(route, rows),
    ...(requestId !== undefined && { requestId }),
    rows,
  }
}
