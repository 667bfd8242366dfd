// What a read sends, and how far it got.
import type { Walked } from '../../../client/vitrine.ts'
import { isList } from '../../catalogue/define.ts'
import { pageSize } from '../../catalogue/parameters.ts'
import type { ReadArguments } from './arguments.ts'
import { type Ids, parametersOf } from './options.ts'

/** reported if the read ends early */
export interface Outcome {
  walked: Walked
  nextCursor: string | null
  /** with --each: the row being read */
  at?: Ids | undefined
}

/** arguments for the client: lists, and a number for `limit` */
export function paramsOf({ route, given, own }: ReadArguments): Record<string, string | number | readonly string[]> {
  if (!route) return {}
  const params: Record<string, string | number | readonly string[]> = {}
  for (const { name, kind } of parametersOf(route)) {
    const value = given[name]
    if (value === undefined) continue
    const isOne = kind === 'path' || kind === 'cursor'
    params[name] = kind === 'limit' ? Number(value) : isOne ? value : value.split(',')
  }
  // the largest pages cost the least quota
  if ((own.all ?? own.each) !== undefined && isList(route)) params['limit'] ??= pageSize.most
  return params
}
