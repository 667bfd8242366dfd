// Whether a page is the last one. The next link decides, and `meta.paging` must agree: a list that names a next cursor,
// or counts more items than came, is incomplete.
import { malformed, Problem } from '../problems.ts'
import { readNextCursor } from './next-link.ts'
import { isJsonObject, type JsonObject } from '../../../base/core/json.ts'

export interface PageEnd {
  readonly next: unknown
  readonly namesMore: boolean
  readonly total: number | undefined
  readonly count: number
  /** of a list that is paged here, instead of what the platform says */
  readonly ownCursor?: string | null
}

export interface Tally {
  readonly count: number
  /** the smallest total seen: items may be added or removed between pages */
  readonly total: number | undefined
}

export const noTally: Tally = { count: 0, total: undefined }

export interface FollowedPage {
  readonly origin: string
  readonly target: string
  readonly tally: Tally
}

export function readTotal(told: unknown): number | undefined {
  if (told === undefined || told === null) return undefined
  // a raw number such as 24.0
  const total = JSON.isRawJSON(told) ? Number(told.rawJSON) : told
  if (typeof total !== 'number' || !Number.isSafeInteger(total) || total < 0)
    throw malformed('the total of a list is not a count')
  return total
}

export function readPageEnd({ links, meta }: JsonObject, count: number): PageEnd {
  // without links, the end of the list is unknown
  if (!isJsonObject(links)) throw malformed('a list has no links')
  const paging = isJsonObject(meta) && isJsonObject(meta['paging']) ? meta['paging'] : {}
  const named = paging['nextCursor'] ?? ''
  return { next: links['next'], namesMore: named !== '', total: readTotal(paging['total']), count }
}

function addTo(tally: Tally, { count, total }: PageEnd): Tally {
  const totals = [tally.total, total].filter((one) => one !== undefined)
  return { count: tally.count + count, total: totals.length > 0 ? Math.min(...totals) : undefined }
}

export const incomplete = (cause: string): Problem =>
  new Problem('upstream_malformed', {
    message: 'The platform ended a list before all the items that it counts. Try again: a walk, without a cursor.',
    cause,
  })

export function followEnd(
  end: PageEnd,
  { origin, target, tally }: FollowedPage,
): { cursor: string | null; tally: Tally } {
  if (end.ownCursor !== undefined) return { cursor: end.ownCursor, tally }
  const cursor = readNextCursor(end.next, origin, target)
  const sum = addTo(tally, end)
  if (cursor !== null) return { cursor, tally: sum }
  if (end.namesMore) throw incomplete('a page names a next cursor and has no next link')
  if (sum.total !== undefined && sum.count < sum.total) throw incomplete('a list ends before its total')
  return { cursor, tally: sum }
}
