// AES-256-GCM as format(1) nonce(12) ciphertext tag(16). What the bytes belong to is the associated data, so that they
// cannot be opened in another place.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import type { RandomSource } from './digest-and-random.ts'

const format = 1
const nonceBytes = 12
const tagBytes = 16
const algorithm = 'aes-256-gcm'

export const sealedOverhead = 1 + nonceBytes + tagBytes
export type SealKey = KeyObject | Uint8Array

/** each part after its length in bytes */
export function associate(...parts: readonly string[]): Buffer {
  const all = Buffer.allocUnsafe(parts.reduce((bytes, part) => bytes + 4 + Buffer.byteLength(part), 0))
  let at = 0
  for (const part of parts) {
    const length = all.write(part, at + 4)
    at = all.writeUInt32BE(length, at) + length
  }
  return all
}

function sealWith(nonce: Buffer, key: SealKey, associated: Uint8Array, plain: Uint8Array): Buffer {
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(associated)
  return Buffer.concat([Buffer.of(format), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** `random`: gives the nonce */
export const seal = (
  key: SealKey,
  associated: Uint8Array,
  plain: Uint8Array,
  random: RandomSource = randomBytes,
): Buffer => sealWith(random(nonceBytes), key, associated, plain)

/** Deterministic: the nonce is derived from place and bytes, so no two plain texts share one. `label` names the use. */
export function alike(key: SealKey, label: string): (associated: Uint8Array, plain: Uint8Array) => Buffer {
  const drawing = Buffer.from(hkdfSync('sha256', key, '', associate(label), 32))
  return (associated, plain) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(associated.length)
    const drawn = createHmac('sha256', drawing).update(length).update(associated).update(plain).digest()
    return sealWith(drawn.subarray(0, nonceBytes), key, associated, plain)
  }
}

export function unseal(key: SealKey, associated: Uint8Array, sealed: Uint8Array): Buffer | undefined {
  // the length first: the cipher would accept a shorter tag
  if (sealed.length < sealedOverhead || sealed[0] !== format) return undefined
  const nonce = sealed.subarray(1, 1 + nonceBytes)
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(associated)
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  const plain = decipher.update(sealed.subarray(1 + nonceBytes, -tagBytes))
  try {
    // adds no bytes in GCM: nothing is copied, so the caller can wipe the only plain bytes
    decipher.final()
    return plain
  } catch {
    plain.fill(0)
    return undefined
  }
}
