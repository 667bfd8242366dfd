// Sealed cursors: what a caller holds says nothing of the platform's own and opens only the walk it came from.
// Layout: version(1) nonce(12) sealed[ issued(4) walk(16) count(1) trail(6 each) platform cursor ] tag(16), in base64url.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { malformed, Problem } from '../problem.ts'

const version = 1
const nonceBytes = 12
const tagBytes = 16
const walkBytes = 16
const markBytes = 6
const longestTrail = 16
const lifeSec = 24 * 3600
const algorithm = 'aes-256-gcm'
const aad = Buffer.from('vitrine cursor 1')

/** where a walk stands at the platform, and the marks of the latest cursors that it has used */
export interface Place {
  readonly cursor: string
  readonly trail: readonly string[]
}

export interface Cursors {
  seal(walk: Buffer, place: Place): string
  open(walk: Buffer, cursor: string): Place
}

const digest = (text: string, bytes: number): Buffer => createHash('sha256').update(text).digest().subarray(0, bytes)

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
  const shortest = 1 + nonceBytes + 4 + walkBytes + 1 + tagBytes
  if (bytes.length < shortest || bytes[0] !== version || bytes.toString('base64url') !== cursor)
    throw new Problem('cursor_invalid', { param: 'cursor' })
  return bytes
}

export function createCursors(key: Uint8Array, now: () => number): Cursors {
  const nowSec = () => Math.floor(now() / 1000)
  return {
    seal(walk, place) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(aad)
      const sealed = Buffer.concat([cipher.update(pack(nowSec(), walk, place)), cipher.final()])
      return Buffer.concat([Buffer.of(version), nonce, sealed, cipher.getAuthTag()]).toString('base64url')
    },
    open(walk, cursor) {
      const bytes = decode(cursor)
      const nonce = bytes.subarray(1, 1 + nonceBytes)
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(aad)
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      let plain: Buffer
      try {
        plain = Buffer.concat([decipher.update(bytes.subarray(1 + nonceBytes, -tagBytes)), decipher.final()])
      } catch {
        throw new Problem('cursor_invalid', { param: 'cursor' })
      }
      const held = unpack(plain)
      if (!held.walk.equals(walk)) throw new Problem('cursor_mismatch', { param: 'cursor' })
      if (nowSec() - held.issuedSec > lifeSec) throw new Problem('cursor_expired', { param: 'cursor' })
      return held.place
    },
  }
}
