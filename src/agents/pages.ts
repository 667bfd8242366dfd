// One page, cut so that it fits: between rows, and where it was cut the next cursor still tells exactly what comes next.
import { isList, type Route } from '../catalogue/define.ts'
import type { Judge } from './moments.ts'
import type { Answered } from './port.ts'

/** how much may still be given */
export interface Room {
  rows: number
  bytes: number
  /** nothing is given yet: the first row is, however large it is */
  isEmpty: boolean
}

export interface Page {
  readonly rows: readonly unknown[]
  readonly nextCursor: string | null
}

/** of a single resource, a page of one */
export function pageOf(route: Route, { body }: Answered): Page {
  if (!isList(route)) return { rows: [body], nextCursor: null }
  const { items, nextCursor } = body as { items: readonly unknown[]; nextCursor: string | null }
  return { rows: items, nextCursor }
}

export interface Taken {
  readonly rows: readonly unknown[]
  /** all that were read on the way to `at`, those that are not wanted included */
  readonly read: readonly unknown[]
  /** where to go on; null at the end, undefined at the beginning */
  readonly at: string | null | undefined
  /** why not all of the page is there */
  readonly full?: 'rows' | 'bytes'
}

type Fitted = { readonly rows: readonly unknown[]; readonly used: number } & Pick<Taken, 'full'>

function fit(rows: readonly unknown[], judge: Judge, room: Room): Fitted {
  const kept: unknown[] = []
  let { rows: left, bytes, isEmpty } = room
  const before = judge.undated
  for (const [used, row] of rows.entries()) {
    if (!judge.keeps(row)) continue
    const size = Buffer.byteLength(JSON.stringify(row))
    if (left < 1 || (size > bytes && !isEmpty)) {
      // it will be judged again
      judge.undated = before
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

export interface Wanted {
  readonly cursor: string | undefined
  /** undefined where the route has no pages */
  readonly limit: number | string | undefined
}

/** reads once, and once more where the page is too large: a shorter page has the cursor of exactly what was left out */
export async function takePage(
  wanted: Wanted,
  ask: (wanted: Wanted) => Promise<Page>,
  judge: Judge,
  room: Room,
): Promise<Taken> {
  let { limit } = wanted
  let full: Taken['full']
  for (;;) {
    const page = await ask({ ...wanted, limit })
    const fitted = fit(page.rows, judge, room)
    full = fitted.full ?? full
    if (fitted.used === page.rows.length)
      return { rows: fitted.rows, read: page.rows, at: page.nextCursor, ...(full && { full }) }
    if (fitted.used === 0) return { rows: [], read: [], at: wanted.cursor, ...(full && { full }) }
    limit = fitted.used
  }
}
