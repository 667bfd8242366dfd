// Sealed cursors: what a caller holds says nothing of the platform's own and opens only the walk it came from.
// Layout: sealed[ issued(4) walk(16) place ], in base64url.
import { hash } from 'node:crypto'
import { Problem } from '../problem.ts'
import { alike, associate, seal, sealedOverhead, unseal } from '../sealed.ts'
import { packPlace, type Place, shortestPlace, unpackPlace } from './place.ts'

const walkBytes = 16
const headBytes = 4 + walkBytes
const lifeSec = 24 * 3600
/** with the hour that an answer may be remembered, this leaves a cursor half of its day */
const alikeSec = 11 * 3600
const purpose = associate('vitrine cursor 2')

export interface Cursors {
  seal(walk: Buffer, place: Place): string
  open(walk: Buffer, cursor: string): Place
}

export interface SteadyCursors extends Cursors {
  /**
   * The same for the same place of the same walk, in every process, until some hours are over. A seal has a random part, so
   * without this no page that has a successor would ever have the same bytes twice, and nobody could be told that his copy of
   * it is still good.
   */
  readonly sealAlike: Cursors['seal']
}

const digest = (text: string, bytes: number): Buffer => hash('sha256', text, 'buffer').subarray(0, bytes)

/** all that must stay the same along a walk */
export const walkOf = (parts: readonly unknown[]): Buffer => digest(JSON.stringify(parts), walkBytes)

function pack(issuedSec: number, walk: Buffer, place: Place): Buffer {
  const issued = Buffer.alloc(4)
  issued.writeUInt32BE(issuedSec)
  return Buffer.concat([issued, walk, packPlace(place)])
}

/** Buffer.from skips what is no base64url, so two texts could mean the same bytes: only the one spelling is taken. */
function decode(cursor: string): Buffer {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length < sealedOverhead + headBytes + shortestPlace || bytes.toString('base64url') !== cursor)
    throw new Problem('cursor_invalid', { param: 'cursor' })
  return bytes
}

export function createCursors(key: Uint8Array, now: () => number): SteadyCursors {
  const nowSec = () => Math.floor(now() / 1000)
  const sealAlike = alike(key)
  return {
    seal: (walk, place) => seal(key, purpose, pack(nowSec(), walk, place)).toString('base64url'),
    sealAlike(walk, place) {
      const begunSec = nowSec() - (nowSec() % alikeSec)
      return sealAlike(purpose, pack(begunSec, walk, place)).toString('base64url')
    },
    open(walk, cursor) {
      const plain = unseal(key, purpose, decode(cursor))
      if (!plain) throw new Problem('cursor_invalid', { param: 'cursor' })
      if (!plain.subarray(4, headBytes).equals(walk)) throw new Problem('cursor_mismatch', { param: 'cursor' })
      if (nowSec() - plain.readUInt32BE(0) > lifeSec) throw new Problem('cursor_expired', { param: 'cursor' })
      return unpackPlace(plain.subarray(headBytes))
    },
  }
}
