// One page, cut between rows so that it fits into the output, with a cursor that continues exactly after the cut.
import { isList, type Route } from '../catalogue/define.ts'
import type { ReadAnswer } from './reader.ts'
import type { SinceFilter } from './since.ts'

export interface OutputRoom {
  rows: number
  bytes: number
  /** the first row is returned whatever its size */
  isEmpty: boolean
}

export interface ReadPage {
  readonly rows: readonly unknown[]
  readonly nextCursor: string | null
}

export function readPageOf(route: Route, { body }: ReadAnswer): ReadPage {
  if (!isList(route)) return { rows: [body], nextCursor: null }
  const { items, nextCursor } = body as { items: readonly unknown[]; nextCursor: string | null }
  return { rows: items, nextCursor }
}

interface CutPage {
  readonly rows: readonly unknown[]
  /** all rows up to `at`, with those that the filter dropped */
  readonly read: readonly unknown[]
  /** the cursor that continues: null at the end, undefined at the beginning */
  readonly at: string | null | undefined
  readonly full?: 'rows' | 'bytes'
}

type Fitted = { readonly rows: readonly unknown[]; readonly used: number } & Pick<CutPage, 'full'>

function fit(rows: readonly unknown[], filter: SinceFilter, room: OutputRoom): Fitted {
  const kept: unknown[] = []
  let { rows: left, bytes, isEmpty } = room
  const before = filter.undated
  for (const [used, row] of rows.entries()) {
    if (!filter.keeps(row)) continue
    const size = Buffer.byteLength(JSON.stringify(row))
    if (left < 1 || (size > bytes && !isEmpty)) {
      // the page is read again, and its rows counted again
      filter.undated = before
      return { rows: kept, used, full: left < 1 ? 'rows' : 'bytes' }
    }
    kept.push(row)
    left--
    bytes -= size
    isEmpty = false
  }
  Object.assign(room, { rows: left, bytes, isEmpty })
  return { rows: kept, used: rows.length }
}

interface PageWanted {
  readonly cursor: string | undefined
  /** undefined where the route has no pages */
  readonly limit: number | string | undefined
}

/** Reads a page, and a shorter one if it does not fit: only its own cursor continues exactly after the cut. */
export async function readFittingPage(
  wanted: PageWanted,
  ask: (wanted: PageWanted) => Promise<ReadPage>,
  filter: SinceFilter,
  room: OutputRoom,
): Promise<CutPage> {
  let { limit } = wanted
  let full: CutPage['full']
  for (;;) {
    const page = await ask({ ...wanted, limit })
    const fitted = fit(page.rows, filter, room)
    full = fitted.full ?? full
    if (fitted.used === page.rows.length)
      return { rows: fitted.rows, read: page.rows, at: page.nextCursor, ...(full && { full }) }
    if (fitted.used === 0) return { rows: [], read: [], at: wanted.cursor, ...(full && { full }) }
    limit = fitted.used
  }
}
