// The one path parameter for which `read_all` takes a list, and the reads ahead for its values.
import type { Route } from '../catalogue/define.ts'
import { pathNames } from '../catalogue/parameters.ts'
import { Problem } from '../problems.ts'
import { readParams } from './arguments.ts'
import type { ReadPage } from './pages.ts'
import type { Params } from './reader.ts'
import { bounds } from './tool-context.ts'

export interface FanOut {
  readonly name: string
  readonly values: readonly string[]
}

export function readFanOut(route: Route, given: Params, routes: readonly Route[]) {
  const [name, second] = pathNames(route).filter((one) => Array.isArray(given[one]))
  if (name === undefined) return { fanOut: undefined, params: readParams(route, given, routes) }
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
  return { fanOut: { name, values: all.map((one) => one[name] ?? '') }, params }
}

const aheadCount = 4

/** Returns a reader of first pages that keeps the next ones under way. A failure reaches only the caller of its page. */
export function prefetch(count: number, readFirst: (index: number) => Promise<ReadPage>) {
  const started = new Map<number, Promise<ReadPage>>()
  let next = 0
  return (index: number): Promise<ReadPage> => {
    for (; next < Math.min(count, index + aheadCount); next++) {
      const page = readFirst(next)
      page.catch(() => {})
      started.set(next, page)
    }
    const own = started.get(index) ?? readFirst(index)
    started.delete(index)
    return own
  }
}
