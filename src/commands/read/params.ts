// The words of a question as the client takes them: lists of values, and a number for the size of a page.
import { isList } from '../../catalogue/define.ts'
import { pageSize } from '../../catalogue/parameters.ts'
import { parametersOf } from './parameters.ts'
import type { Question } from './question.ts'

export function paramsOf({ route, given, own }: Question): Record<string, string | number | readonly string[]> {
  if (!route) return {}
  const params: Record<string, string | number | readonly string[]> = {}
  for (const { name, kind } of parametersOf(route)) {
    const value = given[name]
    if (value === undefined) continue
    const isOne = kind === 'path' || kind === 'cursor'
    params[name] = kind === 'limit' ? Number(value) : isOne ? value : value.split(',')
  }
  // the largest pages cost the platform's quota least
  if (own.all !== undefined && isList(route)) params['limit'] ??= pageSize.most
  return params
}
