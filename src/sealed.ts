// Sealed bytes: AES-256-GCM in the one layout that is used here, format(1) nonce(12) ciphertext tag(16).
// What the bytes belong to goes in as associated data: opened in any other place, they are as good as forged.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'

const format = 1
const nonceBytes = 12
const tagBytes = 16
const algorithm = 'aes-256-gcm'

/** what sealing adds to the length of the plain bytes */
export const sealedOverhead = 1 + nonceBytes + tagBytes

export type SealKey = KeyObject | Uint8Array

/** Texts as bytes that no other list of texts gives: each part carries its length. */
export const associate = (...parts: readonly string[]): Buffer =>
  Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part)
      const length = Buffer.alloc(4)
      length.writeUInt32BE(bytes.length)
      return [length, bytes]
    }),
  )

function sealWith(nonce: Buffer, key: SealKey, associated: Uint8Array, plain: Uint8Array): Buffer {
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(associated)
  return Buffer.concat([Buffer.of(format), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

export const seal = (key: SealKey, associated: Uint8Array, plain: Uint8Array): Buffer =>
  sealWith(randomBytes(nonceBytes), key, associated, plain)

/** Seals the same bytes for the same place in the same way: the nonce is drawn from both, so no other bytes ever meet it. */
export function alike(key: SealKey): (associated: Uint8Array, plain: Uint8Array) => Buffer {
  const drawing = Buffer.from(hkdfSync('sha256', key, '', associate('vitrine nonces 1'), 32))
  return (associated, plain) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(associated.length)
    const drawn = createHmac('sha256', drawing).update(length).update(associated).update(plain).digest()
    return sealWith(drawn.subarray(0, nonceBytes), key, associated, plain)
  }
}

/** The plain bytes, or undefined where these are not exactly the bytes that were sealed with this key for this place. */
export function unseal(key: SealKey, associated: Uint8Array, sealed: Uint8Array): Buffer | undefined {
  // the length before the tag: the cipher itself would take a shorter one
  if (sealed.length < sealedOverhead || sealed[0] !== format) return undefined
  const nonce = sealed.subarray(1, 1 + nonceBytes)
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(associated)
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  const plain = decipher.update(sealed.subarray(1 + nonceBytes, -tagBytes))
  try {
    // it adds no bytes in this mode: nothing is copied, so the caller can wipe the only plain bytes that there are
    decipher.final()
    return plain
  } catch {
    plain.fill(0)
    return undefined
  }
}
