// The way to a route from a connection alone: which reads give the ids of its path, one after the other.
import type { Route } from './define.ts'
import { sourcesOf } from './id-sources.ts'
import { pathNames } from './parameters.ts'

export interface WayStep {
  /** the path parameter that the read gives a value for */
  readonly gives: string
  readonly operation: string
  /** the field of its rows with the value: `id`, or a linkage, or `locale` */
  readonly field: string
}

function sourceOf(name: string, route: Route, routes: readonly Route[]): Omit<WayStep, 'gives'> | undefined {
  const { resolve } = route.from
  if (name === 'locale') {
    const list = routes.find(({ type, shape }) => type === resolve?.type && shape === 'page')
    return list && { operation: list.operation, field: 'locale' }
  }
  const [first] = sourcesOf(name, route, routes)
  return first && { operation: first.operation, field: first.field ?? 'id' }
}

/** The reads that come before the route's own, each once, in order; undefined if no route lists an id that it needs. */
export function wayTo(route: Route, routes: readonly Route[], given: readonly string[] = []): WayStep[] | undefined {
  const steps: WayStep[] = []
  const known = new Set(given)
  function reach(target: Route): boolean {
    for (const name of pathNames(target)) {
      if (known.has(name)) continue
      const source = sourceOf(name, target, routes)
      const from = source && routes.find(({ operation }) => operation === source.operation)
      if (!source || !from || !reach(from)) return false
      known.add(name)
      steps.push({ gives: name, ...source })
    }
    return true
  }
  return reach(route) ? steps : undefined
}
