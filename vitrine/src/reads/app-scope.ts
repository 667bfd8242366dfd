// Reads of keys for some apps: the list of apps is cut to them, and every other resource is proved to hang below one of them,
// before a cached answer is looked up.
import { appScopeOf } from '../catalogue/ownership.ts'
import type { Route } from '../catalogue/define.ts'
import { readRouteQuery } from '../engine/request.ts'

/** the query with the apps as its filter `id`; undefined: no app is left, so that the list is empty */
export function cutToApps(route: Route, query: string, apps: readonly string[]): string | undefined {
  const given = readRouteQuery(route, query).filters.get('id')?.split(',')
  const left = given ? given.filter((id) => apps.includes(id)) : apps
  if (left.length === 0) return undefined
  const others = query
    .split('&')
    .filter((part) => part !== '' && decodeURIComponent(part.split('=', 1)[0] ?? '') !== 'id')
  return [...others, `id=${[...new Set(left)].sort().map(encodeURIComponent).join(',')}`].join('&')
}

export const isListOfApps = (route: Route): boolean => appScopeOf(route).anchor === undefined
