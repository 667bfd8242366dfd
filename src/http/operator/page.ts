// Pages of a listing: how many, where it goes on, and the cursor that says so.
import { Problem } from '../../problem.ts'
import type { Query, QueryParameters } from './query.ts'

export interface Page<T> {
  readonly items: readonly T[]
  /** null at the end of the listing */
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

/** of which listing it is goes in, so that one is not taken for another */
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
  /** where the listing can go on: what a cursor holds */
  readonly form: RegExp
  readonly placeOf: (item: T) => string
  readonly read: (stretch: { after: string | undefined; limit: number }) => Promise<readonly T[]>
}

/** one item more than wanted is asked for: it tells whether there is another page */
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
