// Sealed cursors: they show nothing of the platform's cursor and are valid for one list only.
// Layout: sealed[ issued(4) list(16) position ], in base64url.
import { Problem } from '../problems.ts'
import { createRandomPool, digestOf } from '../../../base/core/digest-and-random.ts'
import { alike, associate, seal, sealedOverhead, unseal } from '../../../base/core/seal.ts'
import { packPosition, type Position, minPositionBytes, unpackPosition } from './position.ts'

const listBytes = 16
const headBytes = 4 + listBytes
const lifeSec = 24 * 3600
/** with an answer cached for an hour, a cursor still lives for half a day */
const alikeSec = 11 * 3600
const purpose = associate('vitrine cursor 2')

export interface Cursors {
  seal(list: Buffer, position: Position): string
  open(list: Buffer, cursor: string): Position
}

export interface StableCursors extends Cursors {
  /** The same bytes for the same position in every process for some hours, so that pages can be revalidated by their ETag. */
  readonly sealStable: Cursors['seal']
}

/** a digest of what must stay the same while a caller pages through a list */
export const listDigest = (parts: readonly unknown[]): Buffer => digestOf(JSON.stringify(parts)).subarray(0, listBytes)

function pack(issuedSec: number, list: Buffer, position: Position): Buffer {
  const issued = Buffer.alloc(4)
  issued.writeUInt32BE(issuedSec)
  return Buffer.concat([issued, list, packPosition(position)])
}

/** Buffer.from skips invalid characters, so only the canonical spelling is accepted. */
function decode(cursor: string): Buffer {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length < sealedOverhead + headBytes + minPositionBytes || bytes.toString('base64url') !== cursor)
    throw new Problem('cursor_invalid', { param: 'cursor' })
  return bytes
}

export function createCursors(key: Uint8Array, now: () => number): StableCursors {
  const nowSec = () => Math.floor(now() / 1000)
  const sealAlike = alike(key, 'vitrine nonces 1')
  const random = createRandomPool()
  return {
    seal: (list, position) => seal(key, purpose, pack(nowSec(), list, position), random).toString('base64url'),
    sealStable(list, position) {
      const begunSec = nowSec() - (nowSec() % alikeSec)
      return sealAlike(purpose, pack(begunSec, list, position)).toString('base64url')
    },
    open(list, cursor) {
      const plain = unseal(key, purpose, decode(cursor))
      if (!plain) throw new Problem('cursor_invalid', { param: 'cursor' })
      if (!plain.subarray(4, headBytes).equals(list)) throw new Problem('cursor_mismatch', { param: 'cursor' })
      if (nowSec() - plain.readUInt32BE(0) > lifeSec) throw new Problem('cursor_expired', { param: 'cursor' })
      return unpackPosition(plain.subarray(headBytes))
    },
  }
}
