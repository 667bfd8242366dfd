// Where the ids of a path come from: the operations that list them, else the fields that name them.
import type { Route } from '../catalogue/define.ts'
import { pathParameterText } from '../catalogue/parameters.ts'
import { sourcesOf } from '../catalogue/id-sources.ts'

export function sourceNames(name: string, route: Route, routes: readonly Route[]): string[] {
  const sources = sourcesOf(name, route, routes)
  const lists = sources.filter(({ field }) => field === undefined)
  return (lists.length > 0 ? lists : sources).map(({ operation, field }) =>
    field === undefined ? operation : `${operation}.${field}`,
  )
}

export const unlisted = 'No operation lists it: ask your user.'

export function describeParameter(name: string, route: Route, routes: readonly Route[]): string {
  const about = pathParameterText(name)
  return sourceNames(name, route, routes).length > 0 ? about : `${about} ${unlisted}`
}
