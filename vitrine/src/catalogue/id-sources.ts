// Finds the operations whose answers hold the ids that a path needs. The platform's paths have the type of a resource before
// its id.
import { isList, type Route } from './define.ts'

export interface IdSource {
  readonly operation: string
  /** the field with the id; undefined for a list of these ids or resources */
  readonly field?: string
}

/** the platform's type of a path parameter */
function typeOf(name: string, { from }: Route): string | undefined {
  if (from.guard?.child === name) return from.guard.type
  for (const endpoint of [from.read, from.guard?.isIn, from.resolve?.locale, from.owner?.read, from.through?.list]) {
    const segments = endpoint?.split('/') ?? []
    const at = segments.indexOf(`{${name}}`)
    if (at > 0) return segments[at - 1]
  }
  return undefined
}

/** Lists first, then links; without operations that need the id themselves. */
export function sourcesOf(name: string, route: Route, routes: readonly Route[]): IdSource[] {
  const type = typeOf(name, route)
  const others = routes.filter(({ operation, path }) => operation !== route.operation && !path.includes(`{${name}}`))
  const lists = others.filter((one) => one.type === type && isList(one))
  const links = others.flatMap(({ operation, returns }) =>
    Object.entries(returns?.links ?? {}).flatMap(([field, link]) => (link.type === type ? [{ operation, field }] : [])),
  )
  return [...lists.map(({ operation }) => ({ operation })), ...links]
}
