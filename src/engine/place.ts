// Where a walk stands: the platform's cursor, and of the pages before it what is needed to notice a circle or a missing item.
// Layout: found(6) count(4) total(4) page(4) anchor(6) marks(1) mark(6 each) platform cursor. It does not grow with the walk.
import { hash } from 'node:crypto'
import { malformed } from '../problem.ts'
import { noTally, type Tally } from './page-end.ts'

const markBytes = 6
const longestTrail = 16
const headBytes = markBytes + 12 + markBytes + 1
/** a total that nobody told, and the most that is written down */
const untold = 0xffff_ffff
const most = untold - 1

export interface Place {
  /** of the page that comes next */
  readonly cursor: string
  /** a mark of what the lookup in front of the walk found */
  readonly found: string
  readonly tally: Tally
  /** pages before it */
  readonly page: number
  /** the mark of the cursor behind page 1, 2, 4, 8 …: the latest of these */
  readonly anchor: string
  /** the marks of the latest cursors that the walk has used */
  readonly trail: readonly string[]
}

export const shortestPlace = headBytes

export const noMark = '0'.repeat(2 * markBytes)
const isPowerOfTwo = (n: number): boolean => (n & (n - 1)) === 0

/** a place that knows of no page before it */
export const placeAt = (cursor: string): Place => ({
  ...{ cursor, found: noMark, tally: noTally, page: 0, anchor: noMark, trail: [] },
})

export const markOf = (text: string): string => hash('sha256', text, 'buffer').subarray(0, markBytes).toString('hex')

/**
 * The next place, unless the platform leads in a circle. The trail finds a short one within a lap; the anchor finds any, by
 * Brent's algorithm: once it lies on the circle, and for at least a lap of pages, it is met again.
 */
export function step(
  from: Place | undefined,
  { cursor, found, tally }: Pick<Place, 'cursor' | 'found' | 'tally'>,
): Place {
  const mark = markOf(cursor)
  const { page: pages, anchor: kept, trail } = from ?? placeAt('')
  if (mark === kept || trail.includes(mark)) throw malformed('the next links lead in a circle')
  const page = Math.min(pages + 1, most)
  const anchor = isPowerOfTwo(page) ? mark : kept
  return { cursor, found, tally, page, anchor, trail: [...trail, mark].slice(-longestTrail) }
}

export function packPlace({ cursor, found, tally, page, anchor, trail }: Place): Buffer {
  const head = Buffer.alloc(headBytes)
  head.write(found, 'hex')
  head.writeUInt32BE(Math.min(tally.count, most), 6)
  head.writeUInt32BE(tally.total === undefined ? untold : Math.min(tally.total, most), 10)
  head.writeUInt32BE(page, 14)
  head.write(anchor, 18, 'hex')
  head.writeUInt8(trail.length, headBytes - 1)
  return Buffer.concat([head, Buffer.from(trail.join(''), 'hex'), Buffer.from(cursor)])
}

export function unpackPlace(bytes: Buffer): Place {
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
