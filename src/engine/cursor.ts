// Sealed cursors: what a caller holds says nothing of the platform's own and opens only the walk it came from.
// Layout: sealed[ issued(4) walk(16) count(1) trail(6 each) platform cursor ], in base64url.
import { hash } from 'node:crypto'
import { malformed, Problem } from '../problem.ts'
import { alike, associate, seal, sealedOverhead, unseal } from '../sealed.ts'

const walkBytes = 16
const markBytes = 6
const longestTrail = 16
const lifeSec = 24 * 3600
/** with the hour that an answer may be remembered, this leaves a cursor half of its day */
const alikeSec = 11 * 3600
const purpose = associate('vitrine cursor 1')

/** where a walk stands at the platform, and the marks of the latest cursors that it has used */
export interface Place {
  readonly cursor: string
  readonly trail: readonly string[]
}

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

/** The next place, unless the platform leads in a circle. */
export function step(from: Place | undefined, cursor: string): Place {
  const mark = digest(cursor, markBytes).toString('hex')
  const trail = from?.trail ?? []
  if (trail.includes(mark)) throw malformed('the next links lead in a circle')
  return { cursor, trail: [...trail, mark].slice(-longestTrail) }
}

function pack(issuedSec: number, walk: Buffer, { cursor, trail }: Place): Buffer {
  const issued = Buffer.alloc(4)
  issued.writeUInt32BE(issuedSec)
  return Buffer.concat([issued, walk, Buffer.of(trail.length), Buffer.from(trail.join(''), 'hex'), Buffer.from(cursor)])
}

function unpack(plain: Buffer) {
  const trailAt = 4 + walkBytes + 1
  const cursorAt = trailAt + (plain[trailAt - 1] ?? 0) * markBytes
  const trail = plain.subarray(trailAt, cursorAt).toString('hex').match(/.{12}/g) ?? []
  return {
    issuedSec: plain.readUInt32BE(0),
    walk: plain.subarray(4, 4 + walkBytes),
    place: { cursor: plain.subarray(cursorAt).toString(), trail },
  }
}

/** Buffer.from skips what is no base64url, so two texts could mean the same bytes: only the one spelling is taken. */
function decode(cursor: string): Buffer {
  const bytes = Buffer.from(cursor, 'base64url')
  const shortest = sealedOverhead + 4 + walkBytes + 1
  if (bytes.length < shortest || bytes.toString('base64url') !== cursor)
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
      const held = unpack(plain)
      if (!held.walk.equals(walk)) throw new Problem('cursor_mismatch', { param: 'cursor' })
      if (nowSec() - held.issuedSec > lifeSec) throw new Problem('cursor_expired', { param: 'cursor' })
      return held.place
    },
  }
}
