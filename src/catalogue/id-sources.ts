// Where the id in a path comes from: the operations whose answers hold ids of the platform's type that it names. Found in the
// platform's own paths, in which the type of a thing stands before its id.
import { isList, type Route } from './define.ts'

export interface IdSource {
  readonly operation: string
  /** the field that holds it; undefined where the answer is a list of these ids, or of these resources */
  readonly field?: string
}

/** the platform's type of what a path parameter names; undefined where its paths do not tell */
function typeOf(name: string, { from }: Route): string | undefined {
  if (from.guard?.child === name) return from.guard.type
  for (const endpoint of [from.read, from.guard?.isIn, from.resolve?.locale]) {
    const segments = endpoint?.split('/') ?? []
    const at = segments.indexOf(`{${name}}`)
    if (at > 0) return segments[at - 1]
  }
  return undefined
}

/** the lists first, then what links to it; not what one reads only who has the id */
export function sourcesOf(name: string, route: Route, routes: readonly Route[]): IdSource[] {
  const type = typeOf(name, route)
  const others = routes.filter(({ operation, path }) => operation !== route.operation && !path.includes(`{${name}}`))
  const lists = others.filter((one) => one.type === type && isList(one))
  const links = others.flatMap(({ operation, returns }) =>
    Object.entries(returns?.links ?? {}).flatMap(([field, link]) => (link.type === type ? [{ operation, field }] : [])),
  )
  return [...lists.map(({ operation }) => ({ operation })), ...links]
}
