// Routes as keys without the grant `personal` read them: the platform is not asked for personal data, and none is returned.
import type { Route } from './define.ts'

type Marked = Readonly<Record<string, { readonly personal?: true }>>

const isPersonal = (of: Marked, name: string): boolean => of[name]?.personal === true
const others = <T extends Marked>(of: T): T =>
  Object.fromEntries(Object.entries(of).filter(([name]) => !isPersonal(of, name))) as T

/** names of a route's fields, linkages included, that hold personal data */
export function personalFields({ returns }: Pick<Route, 'returns'>): string[] {
  const all: Marked = { ...returns?.attributes, ...returns?.links }
  return Object.keys(all).filter((name) => isPersonal(all, name))
}

/** among the names in a query parameter, those of personal data */
export function personalIn(route: Route, kind: 'fields' | 'sort', names: readonly string[]): string[] {
  const fields = personalFields(route)
  return names.map((name) => (kind === 'sort' ? name.replace(/^-/, '') : name)).filter((name) => fields.includes(name))
}

function reduced(route: Route): Route {
  const { returns, filters, sort } = route
  const hidden = personalFields(route)
  if (hidden.length === 0 && Object.keys(others(filters)).length === Object.keys(filters).length) return route
  const shared = { filters: others(filters), sort: sort.filter((key) => !hidden.includes(key)), complete: route }
  if (!returns) return { ...route, ...shared }
  const { attributes, links } = returns
  return {
    ...route,
    ...shared,
    returns: { ...returns, attributes: others(attributes), links: others(links), hidden },
  }
}

const known = new WeakMap<Route, Route>()

/** the same route if it has no personal data */
export function withoutPersonal(route: Route): Route {
  const found = known.get(route) ?? reduced(route)
  known.set(route, found)
  return found
}
