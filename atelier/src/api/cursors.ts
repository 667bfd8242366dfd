// Cursors: sealed for the account, the route and the filters of a list, and good for a day.
import { associate, seal, unseal } from '../../../base/core/seal.ts'
import { invalid } from '../problems.ts'
import type { Found, Place } from '../store/listing.ts'
import type { QueryParameters } from './query.ts'

const longestMs = 24 * 60 * 60_000

export const pageParameters = {
  limit: {
    description: 'Items of one page.',
    schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
  },
  cursor: {
    description: '`nextCursor` of the page before.',
    schema: { type: 'string', minLength: 1, maxLength: 1_000 },
  },
} as const satisfies QueryParameters

/** what the cursor of a list belongs to; `filters` are the other parameters of the request */
export interface ListPlace {
  readonly account: string
  readonly route: string
  readonly filters: unknown
}

export interface PageRequest {
  readonly limit: number
  readonly cursor: string | undefined
}

export interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

export function createPager(key: Uint8Array, now: () => number) {
  const placeOf = ({ account, route, filters }: ListPlace) =>
    associate('cursor', account, route, JSON.stringify(filters))

  function open(place: ListPlace, cursor: string): Place {
    const bytes = Buffer.from(cursor, 'base64url')
    const isWhole = bytes.toString('base64url') === cursor
    const plain = isWhole ? unseal(key, placeOf(place), bytes) : undefined
    if (!plain) throw invalid('cursor', 'is not a cursor of this list')
    const { at, ...after } = JSON.parse(plain.toString()) as Place & { at: number }
    if (now() - at >= longestMs) throw invalid('cursor', 'is older than 24 hours; start at the first page')
    return after
  }

  return async <T extends Place>(
    place: ListPlace,
    { limit, cursor }: PageRequest,
    read: (after: Place | undefined, limit: number) => Promise<Found<T>>,
  ): Promise<Page<T>> => {
    const { items, next } = await read(cursor === undefined ? undefined : open(place, cursor), limit)
    if (!next) return { items, nextCursor: null }
    const text = JSON.stringify({ createdAt: next.createdAt, id: next.id, at: now() })
    return { items, nextCursor: seal(key, placeOf(place), Buffer.from(text)).toString('base64url') }
  }
}

export type Pager = ReturnType<typeof createPager>
