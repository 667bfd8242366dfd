// Cuts one page out of a list, with the platform's short cursors. A cursor is the number of rows before it, so rows that
// come or go during paging shift it, as on the platform.
import { createHash } from 'node:crypto'

import type { AskedQuery } from './query.ts'
import { parameterInvalid } from './refusal.ts'

const defaultLimit = 50

export interface CutRows<T> {
  readonly items: readonly T[]
  readonly total: number
  readonly limit: number
  readonly offset: number
  // Cursor of the following page, null on the last one.
  readonly next: string | null
}

export function cutRows<T>(items: readonly T[], path: string, asked: AskedQuery): CutRows<T> {
  const limit = Number(asked.text.get('limit') ?? defaultLimit)
  const cursor = asked.text.get('cursor')
  const listing = nameListing(path, asked)
  const offset = cursor === undefined ? 0 : readCursor(cursor, listing)
  const end = offset + limit
  const next = end < items.length ? makeCursor(end, listing) : null
  return { items: items.slice(offset, end), total: items.length, limit, offset, next }
}

// A cursor belongs to one path with its filters and order; fields, include and limit may change between pages.
function nameListing(path: string, asked: AskedQuery): string {
  const narrowing = [...asked.text].filter(([name]) => name === 'sort' || /^(?:filter|exists)\[/.test(name))
  return JSON.stringify([path, narrowing.toSorted(([left], [right]) => (left < right ? -1 : 1))])
}

// Two base64url parts and a dot: the count as bytes, then five bytes of check.
function makeCursor(offset: number, listing: string): string {
  const hex = offset.toString(16)
  const count = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
  const check = createHash('sha256').update(`${offset} ${listing}`).digest().subarray(0, 4)
  return `${count.toString('base64url')}.${Buffer.concat([Buffer.from([0]), check]).toString('base64url')}`
}

function readCursor(cursor: string, listing: string): number {
  const hex = Buffer.from(cursor.split('.')[0] ?? '', 'base64url')
    .subarray(0, 4)
    .toString('hex')
  const offset = hex === '' ? 0 : Number.parseInt(hex, 16)
  if (offset === 0 || makeCursor(offset, listing) !== cursor) {
    throw parameterInvalid('cursor', `'${cursor}' is not a valid cursor for this request`)
  }
  return offset
}
