// What several replicas hand each other by way of a Redis: sealed, and under names that say nothing. Bytes open only under the
// name that they were sealed for, so whoever can write there can take an answer away, and never give one.
import { createHmac, hkdfSync } from 'node:crypto'
import { associate, seal, unseal } from '../sealed.ts'

export interface Envelopes {
  /** the same for the same parts, and no others */
  nameOf(...parts: readonly string[]): string
  close(place: readonly string[], plain: Uint8Array): Buffer
  /** undefined where these bytes were not sealed by us for this place */
  open(place: readonly string[], sealed: Uint8Array): Buffer | undefined
}

/** `secret`: what the replicas of one installation have in common, and nobody else has */
export function createEnvelopes(secret: Uint8Array, purpose: string): Envelopes {
  const keyFor = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', associate(purpose, use), 32))
  const [naming, sealing] = [keyFor('names'), keyFor('bytes')]
  return {
    nameOf: (...parts) =>
      createHmac('sha256', naming)
        .update(associate(...parts))
        .digest('base64url'),
    close: (place, plain) => seal(sealing, associate(purpose, ...place), plain),
    open: (place, sealed) => unseal(sealing, associate(purpose, ...place), sealed),
  }
}
