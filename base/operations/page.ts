// Pages of a list: the limit, and the cursor for the next page.
import { Problem } from '../core/problem.ts'
import type { Query, QueryParameters } from './query.ts'

export interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

const standard = 50
const most = 200

export const pageParameters = {
  limit: {
    description: 'Items of one page.',
    schema: { type: 'integer', minimum: 1, maximum: most, default: standard },
  },
  cursor: {
    description: '`nextCursor` of the page before.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  },
} as const satisfies QueryParameters

/** the list is part of the cursor, so that another list refuses it */
const encode = (listing: string, after: string): string => Buffer.from(`${listing} ${after}`).toString('base64url')

function decode(listing: string, cursor: string, form: RegExp): string {
  const text = Buffer.from(cursor, 'base64url').toString()
  const [name, after = ''] = text.split(' ', 2)
  if (Buffer.from(text).toString('base64url') !== cursor || name === undefined || !/^\w+$/.test(name))
    throw new Problem('cursor_invalid', { param: 'cursor' })
  if (name !== listing) throw new Problem('cursor_mismatch', { param: 'cursor' })
  if (!form.test(after) || text !== `${name} ${after}`) throw new Problem('cursor_invalid', { param: 'cursor' })
  return after
}

interface Listing<T> {
  readonly name: string
  readonly form: RegExp
  readonly placeOf: (item: T) => string
  readonly read: (stretch: { after: string | undefined; limit: number }) => Promise<readonly T[]>
}

/** reads one item more to know whether there is another page */
export async function readPage<T>({ limit, cursor }: Query, listing: Listing<T>): Promise<Page<T>> {
  const { name, form, placeOf, read } = listing
  const wanted = limit === undefined ? standard : Number(limit)
  const after = cursor === undefined ? undefined : decode(name, cursor, form)
  const found = await read({ after, limit: wanted + 1 })
  const items = found.slice(0, wanted)
  const last = items.at(-1)
  const nextCursor = found.length > wanted && last !== undefined ? encode(name, placeOf(last)) : null
  return { items, nextCursor }
}
