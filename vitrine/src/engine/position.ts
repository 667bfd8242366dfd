// A position in a list: the platform's cursor, and what is needed to detect a loop or a missing item.
// Layout: found(6) count(4) total(4) page(4) anchor(6) marks(1) mark(6 each) platform cursor. Its size is bounded.
import { hash } from 'node:crypto'
import { malformed } from '../problems.ts'
import { noTally, type Tally } from './page-end.ts'

const markBytes = 6
const longestTrail = 16
const headBytes = markBytes + 12 + markBytes + 1
/** stands for no total; counts are capped below it */
const untold = 0xffff_ffff
const most = untold - 1

export interface Position {
  readonly cursor: string
  readonly found: string
  readonly tally: Tally
  readonly page: number
  /** mark of the cursor after page 1, 2, 4, 8 …: the latest of these */
  readonly anchor: string
  readonly trail: readonly string[]
}

export const minPositionBytes = headBytes

export const noMark = '0'.repeat(2 * markBytes)
const isPowerOfTwo = (n: number): boolean => (n & (n - 1)) === 0

export const positionAt = (cursor: string): Position => ({
  cursor,
  found: noMark,
  tally: noTally,
  page: 0,
  anchor: noMark,
  trail: [],
})

export const markOf = (text: string): string => hash('sha256', text, 'hex').slice(0, 2 * markBytes)

/** Refuses loops of next links: the trail detects short ones at once, the anchor any loop (Brent's algorithm). */
export function nextPosition(
  from: Position | undefined,
  { cursor, found, tally }: Pick<Position, 'cursor' | 'found' | 'tally'>,
): Position {
  const mark = markOf(cursor)
  const { page: pages, anchor: kept, trail } = from ?? positionAt('')
  if (mark === kept || trail.includes(mark)) throw malformed('the next links lead in a circle')
  const page = Math.min(pages + 1, most)
  const anchor = isPowerOfTwo(page) ? mark : kept
  return { cursor, found, tally, page, anchor, trail: [...trail, mark].slice(-longestTrail) }
}

export function packPosition({ cursor, found, tally, page, anchor, trail }: Position): Buffer {
  const head = Buffer.alloc(headBytes)
  head.write(found, 'hex')
  head.writeUInt32BE(Math.min(tally.count, most), 6)
  head.writeUInt32BE(tally.total === undefined ? untold : Math.min(tally.total, most), 10)
  head.writeUInt32BE(page, 14)
  head.write(anchor, 18, 'hex')
  head.writeUInt8(trail.length, headBytes - 1)
  return Buffer.concat([head, Buffer.from(trail.join(''), 'hex'), Buffer.from(cursor)])
}

export function unpackPosition(bytes: Buffer): Position {
  const total = bytes.readUInt32BE(10)
  const cursorAt = headBytes + bytes.readUInt8(headBytes - 1) * markBytes
  return {
    cursor: bytes.subarray(cursorAt).toString(),
    found: bytes.subarray(0, markBytes).toString('hex'),
    tally: { count: bytes.readUInt32BE(6), total: total === untold ? undefined : total },
    page: bytes.readUInt32BE(14),
    anchor: bytes.subarray(18, headBytes - 1).toString('hex'),
    trail: bytes.subarray(headBytes, cursorAt).toString('hex').match(/.{12}/g) ?? [],
  }
}
