// What one read of a walk asks for: the walk's own parameters, and what changes from one read to the next.
import { isList, type Route } from '../catalogue/define.ts'
import { pageSize } from '../catalogue/parameters.ts'
import type { Fan } from './fan.ts'
import type { Room } from './pages.ts'
import type { Params } from './port.ts'

export interface WalkRead {
  readonly cursor?: string | undefined
  readonly limit?: number | string | undefined
  readonly sort?: string | undefined
}

/** `value`: of the list in the path, where there is one */
export function paramsOf(params: Params, fan: Fan | undefined, value: string | undefined, read: WalkRead): Params {
  const { limit: _, cursor: __, ...rest } = params
  const asked = Object.entries(read).filter(([, text]) => text !== undefined)
  return Object.assign({}, rest, fan && { [fan.name]: value }, Object.fromEntries(asked))
}

/** no more than can be given, where every row is wanted */
export function limitOf(route: Route, { limit }: Params, isDated: boolean, room: Room): number | string | undefined {
  if (!isList(route)) return undefined
  if (limit !== undefined) return limit as string
  return isDated ? pageSize.standard : Math.min(pageSize.most, room.rows)
}
