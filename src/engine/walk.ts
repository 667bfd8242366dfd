// A walk through a list: where it stands, and how it goes on. The caller's cursor opens it; each page seals the next.
import { isList, type Route } from '../catalogue/define.ts'
import { type Cursors, walkOf } from './cursor.ts'
import { followEnd, noTally, type PageEnd } from './page-end.ts'
import { type Found, markOfFound } from './memory.ts'
import { step } from './place.ts'
import type { Query } from './query.ts'

export interface Walk {
  /** the platform's cursor, from the second page on */
  readonly cursor?: string
  /** from the second page on, a mark of what the lookup in front of it found on the first */
  readonly found?: string
  /** the caller's cursor for the page after the one that was read so and ended so, or null at the end */
  sealNext(
    end: PageEnd,
    origin: string,
    read: { readonly target: string; readonly found: Found | undefined },
  ): string | null
}

interface Walker {
  readonly route: Route
  readonly connection: string
  readonly account: string
  readonly ids: Readonly<Record<string, string>>
}

/** undefined where the route has no pages. Refuses a cursor that is not of exactly this walk. */
export function openWalk(
  { route, connection, account, ids }: Walker,
  query: Query,
  cursors: Cursors,
): Walk | undefined {
  if (!isList(route)) return undefined
  // all that must stay the same along a walk: `limit` and `fields` may change
  const walk = walkOf([connection, account, route.operation, ids, [...query.filters], query.sort ?? null])
  const place = query.cursor === undefined ? undefined : cursors.open(walk, query.cursor)
  return {
    ...(place && { cursor: place.cursor, found: place.found }),
    sealNext(end, origin, { target, found }) {
      const { cursor, tally } = followEnd(end, { origin, target, tally: place?.tally ?? noTally })
      return cursor === null ? null : cursors.seal(walk, step(place, { cursor, found: markOfFound(found), tally }))
    },
  }
}
