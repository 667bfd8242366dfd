// Where a walk stands: the platform's cursor, and of the pages before it what is needed to notice a circle or a missing item.
// Layout: count(4) total(4) marks(1) mark(6 each) platform cursor. It does not grow with the walk.
import { hash } from 'node:crypto'
import { malformed } from '../problem.ts'
import { noTally, type Tally } from './page-end.ts'

const markBytes = 6
const longestTrail = 16
const headBytes = 9
/** a total that nobody told, and the most that is written down */
const untold = 0xffff_ffff
const most = untold - 1

export interface Place {
  /** of the page that comes next */
  readonly cursor: string
  readonly tally: Tally
  /** the marks of the latest cursors that the walk has used */
  readonly trail: readonly string[]
}

export const shortestPlace = headBytes

/** a place that knows of no page before it */
export const placeAt = (cursor: string): Place => ({ cursor, tally: noTally, trail: [] })

const markOf = (text: string): string => hash('sha256', text, 'buffer').subarray(0, markBytes).toString('hex')

/** The next place, unless the platform leads in a circle. */
export function step(from: Place | undefined, cursor: string, tally: Tally): Place {
  const mark = markOf(cursor)
  const trail = from?.trail ?? []
  if (trail.includes(mark)) throw malformed('the next links lead in a circle')
  return { cursor, tally, trail: [...trail, mark].slice(-longestTrail) }
}

export function packPlace({ cursor, tally, trail }: Place): Buffer {
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE(Math.min(tally.count, most), 0)
  head.writeUInt32BE(tally.total === undefined ? untold : Math.min(tally.total, most), 4)
  head.writeUInt8(trail.length, 8)
  return Buffer.concat([head, Buffer.from(trail.join(''), 'hex'), Buffer.from(cursor)])
}

export function unpackPlace(bytes: Buffer): Place {
  const total = bytes.readUInt32BE(4)
  const cursorAt = headBytes + bytes.readUInt8(8) * markBytes
  return {
    cursor: bytes.subarray(cursorAt).toString(),
    tally: { count: bytes.readUInt32BE(0), total: total === untold ? undefined : total },
    trail: bytes.subarray(headBytes, cursorAt).toString('hex').match(/.{12}/g) ?? [],
  }
}
