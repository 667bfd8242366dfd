// The one path parameter that a walk may be given a list for.
import type { Route } from '../catalogue/define.ts'
import { pathNames } from '../catalogue/parameters.ts'
import { Problem } from '../problem.ts'
import { bounds } from './bounds.ts'
import type { Params } from './port.ts'
import { readParams } from './question.ts'

export interface Fan {
  readonly name: string
  readonly values: readonly string[]
}

interface Read {
  readonly fan: Fan | undefined
  /** without the values of the list */
  readonly params: Readonly<Record<string, string>>
}

/** the parameters of a walk, and the list among those of its path */
export function readFan(route: Route, given: Params, routes: readonly Route[]): Read {
  const [name, second] = pathNames(route).filter((one) => Array.isArray(given[one]))
  if (name === undefined) return { fan: undefined, params: readParams(route, given, routes) }
  const list = given[name] as readonly unknown[]
  if (second !== undefined)
    throw new Problem('value_not_allowed', { param: second, message: 'Only one parameter of the path may be a list.' })
  if (list.length === 0 || list.length > bounds.values)
    throw new Problem('value_not_allowed', {
      param: name,
      message: `"${name}" takes 1 to ${bounds.values} values at once: ask for the rest in further calls.`,
      details: { minimum: 1, maximum: bounds.values },
    })
  const all = Array.from(list, (value) => readParams(route, { ...given, [name]: value }, routes))
  const { [name]: _, ...params } = all[0] ?? {}
  return { fan: { name, values: all.map((one) => one[name] ?? '') }, params }
}
