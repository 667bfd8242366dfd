// Seals what replicas exchange through Redis, under hashed names. Bytes open only under the name that they were sealed for:
// write access to Redis can remove a message, and never forge one.
import { hash, hkdfSync } from 'node:crypto'
import { associate, seal, unseal } from '../core/seal.ts'

export type SealedMessages = ReturnType<typeof createSealedMessages>

/** `secret`: shared by the replicas of one installation alone */
export function createSealedMessages(secret: Uint8Array, purpose: string) {
  const deriveKey = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', associate(purpose, use), 32))
  const [naming, sealing] = [deriveKey('names').toString('base64url'), deriveKey('bytes')]
  return {
    // the key in front is enough: unlike SHA-2, SHA-3 allows no length extension, and an HMAC takes nearly twice as long
    nameOf: (...parts: readonly string[]) => hash('sha3-256', associate(naming, ...parts), 'base64url'),
    seal: (place: readonly string[], plain: Uint8Array) => seal(sealing, associate(purpose, ...place), plain),
    /** undefined unless we sealed these bytes for this place */
    open: (place: readonly string[], sealed: Uint8Array) => unseal(sealing, associate(purpose, ...place), sealed),
  }
}
