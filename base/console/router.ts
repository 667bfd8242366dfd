// Which page is shown: the path of the address, and a few names in its query. No typed text goes there.
import { signal } from '@preact/signals'
import { isGuarded, refuseLeaving } from './leave-guard.ts'

export interface Route {
  readonly path: string
  readonly query: URLSearchParams
}

const here = (): Route => ({ path: location.pathname, query: new URLSearchParams(location.search) })

export const route = signal<Route>(here())

export type RouteQuery = Readonly<Record<string, string | undefined>>

export function hrefOf(path: string, query: RouteQuery = {}): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

export function go(path: string, query: RouteQuery = {}) {
  if (isGuarded()) return refuseLeaving()
  history.pushState(null, '', hrefOf(path, query))
  route.value = here()
}

/** stays on the page, and adds no step for the back button */
export function replaceQuery(query: RouteQuery) {
  history.replaceState(null, '', hrefOf(route.value.path, query))
  route.value = here()
}

addEventListener('popstate', () => {
  if (isGuarded()) {
    // the step back is taken back
    const { path, query } = route.peek()
    history.pushState(null, '', hrefOf(path, Object.fromEntries(query)))
    refuseLeaving()
  } else route.value = here()
})
