// Whether a page is the last one. Its next link decides, and what the page says of paging must agree with it: a list that
// names a further page, or more items than came, is not whole.
import { malformed, Problem } from '../problem.ts'
import { readNextCursor } from './next-link.ts'
import { isObject, type JsonObject } from './port.ts'

/** how a page ends, as the platform sent it */
export interface PageEnd {
  /** `links.next` */
  readonly next: unknown
  /** whether `meta.paging.nextCursor` names a further page */
  readonly namesMore: boolean
  /** `meta.paging.total`, which some lists do not have */
  readonly total: number | undefined
  /** different items of this page */
  readonly count: number
}

/** what came on the pages of a walk so far */
export interface Tally {
  readonly count: number
  /** the least total that a page has told: items may be added or removed while the walk goes on */
  readonly total: number | undefined
}

export const noTally: Tally = { count: 0, total: undefined }

export interface Followed {
  readonly origin: string
  /** the page that was read */
  readonly target: string
  /** of the pages before it */
  readonly tally: Tally
}

function readTotal(told: unknown): number | undefined {
  if (told === undefined || told === null) return undefined
  // kept as text for its spelling, such as 24.0
  const total = JSON.isRawJSON(told) ? Number(told.rawJSON) : told
  if (typeof total !== 'number' || !Number.isSafeInteger(total) || total < 0)
    throw malformed('the total of a list is not a count')
  return total
}

export function readPageEnd({ links, meta }: JsonObject, count: number): PageEnd {
  // without links nobody can tell whether this is the whole list
  if (!isObject(links)) throw malformed('a list has no links')
  const paging = isObject(meta) && isObject(meta['paging']) ? meta['paging'] : {}
  const named = paging['nextCursor'] ?? ''
  return { next: links['next'], namesMore: named !== '', total: readTotal(paging['total']), count }
}

function addTo(tally: Tally, { count, total }: PageEnd): Tally {
  const totals = [tally.total, total].filter((one) => one !== undefined)
  return { count: tally.count + count, total: totals.length > 0 ? Math.min(...totals) : undefined }
}

const incomplete = (cause: string): Problem =>
  new Problem('upstream_malformed', {
    message: 'The platform ended a list before all the items that it counts. Try again: a walk, without a cursor.',
    cause,
  })

/** The platform's cursor of the next page, or null where the list is whole; and what came so far. */
export function followEnd(end: PageEnd, { origin, target, tally }: Followed): { cursor: string | null; tally: Tally } {
  const cursor = readNextCursor(end.next, origin, target)
  const sum = addTo(tally, end)
  if (cursor !== null) return { cursor, tally: sum }
  if (end.namesMore) throw incomplete('a page names a next cursor and has no next link')
  if (sum.total !== undefined && sum.count < sum.total) throw incomplete('a list ends before its total')
  return { cursor, tally: sum }
}
