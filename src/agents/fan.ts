// The one path parameter that a walk may be given a list for.
import type { Route } from '../catalogue/define.ts'
import { pathNames } from '../catalogue/parameters.ts'
import { Problem } from '../problem.ts'
import { bounds } from './bounds.ts'
import type { Params } from './port.ts'

export interface Fan {
  readonly name: string
  readonly values: readonly unknown[]
}

/** the one path parameter that is given a list */
export function fanOf(route: Route, params: Params): Fan | undefined {
  const lists = pathNames(route).filter((name) => Array.isArray(params[name]))
  const [name, second] = lists
  if (name === undefined) return undefined
  const values = params[name] as readonly unknown[]
  if (second !== undefined)
    throw new Problem('value_not_allowed', { param: second, message: 'Only one parameter of the path may be a list.' })
  if (values.length === 0 || values.length > bounds.values)
    throw new Problem('value_not_allowed', {
      param: name,
      message: `"${name}" takes 1 to ${bounds.values} values at once: ask for the rest in further calls.`,
      details: { minimum: 1, maximum: bounds.values },
    })
  return { name, values }
}
