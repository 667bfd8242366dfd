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
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '')
  const at = target.indexOf('?')
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) }
}

function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
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
  for (let i = 0; i < pattern.length; i++) {
    const part = pattern[i] ?? ''
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

interface Row {
  readonly route: Route
  readonly pattern: readonly string[]
}

/** what stands before the connection's id */
const root = connectionPath.slice(0, connectionPath.indexOf('{'))

/** a matcher over the table of contents; undefined where no route has this path */
export function createMatcher(routes: readonly Route[]): (path: string) => Match | undefined {
  // few routes share both their first word and their length
  const shelves = new Map<string | undefined, Row[][]>()
  for (const route of routes) {
    const pattern = route.path.split('/')
    const byLength = shelves.get(pattern[1]) ?? []
    shelves.set(pattern[1], byLength)
    byLength[pattern.length] = [...(byLength[pattern.length] ?? []), { route, pattern }]
  }
  return (path) => {
    if (!path.startsWith(root)) return undefined
    const segments = path.slice(root.length).split('/')
    const rows = shelves.get(segments[1])?.[segments.length]
    const connection = rows && decode(segments[0] ?? '')
    if (connection === undefined) return undefined
    // a route's path begins with a slash: nothing stands before it
    segments[0] = ''
    for (const { route, pattern } of rows ?? []) {
      const ids = idsOf(pattern, segments)
      if (ids) return { route, connection, ids }
    }
    return undefined
  }
}
