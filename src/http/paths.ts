// From the raw request target to a route and its path parameters. The target is split before it is decoded, and each
// segment is decoded once: `%2F` belongs to an id, `%252F` is an id with a percent sign.
import type { Route } from '../catalogue/define.ts'
import { connectionPath } from '../catalogue/parameters.ts'

export interface Match {
  readonly route: Route
  readonly connection: string
  readonly ids: Readonly<Record<string, string>>
}

export interface Target {
  readonly path: string
  /** without its question mark */
  readonly query: string
}

export function splitTarget(url: string): Target {
  const target = url.replace(/^https?:\/\/[^/?]*/i, '')
  const at = target.indexOf('?')
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) }
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** what stands where the pattern has names in braces; undefined where the segments are others */
export function idsOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined
  const ids: Record<string, string> = {}
  for (const [i, part] of pattern.entries()) {
    const segment = segments[i] ?? ''
    if (!part.startsWith('{')) {
      if (part !== segment) return undefined
      continue
    }
    const id = decode(segment)
    if (id === undefined) return undefined
    ids[part.slice(1, -1)] = id
  }
  return ids
}

/** a matcher over the table of contents; undefined where no route has this path */
export function createMatcher(routes: readonly Route[]): (path: string) => Match | undefined {
  const byLength = new Map<number, { route: Route; pattern: string[] }[]>()
  for (const route of routes) {
    const pattern = `${connectionPath}${route.path}`.split('/')
    byLength.set(pattern.length, [...(byLength.get(pattern.length) ?? []), { route, pattern }])
  }
  return (path) => {
    const segments = path.split('/')
    for (const { route, pattern } of byLength.get(segments.length) ?? []) {
      const found = idsOf(pattern, segments)
      if (!found) continue
      const { connectionId = '', ...ids } = found
      return { route, connection: connectionId, ids }
    }
    return undefined
  }
}
