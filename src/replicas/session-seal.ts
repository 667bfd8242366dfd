// Seals the console's sessions with a key that needs both the store's secret and the operator token of the session: a copy of
// the store and access to Redis open none, and forge none.
import { type KnownToken, type OperatorTokens, whoOf } from '../keys/operator-token.ts'
import { createEnvelopes, type Envelopes } from './envelopes.ts'

export interface SessionSeal {
  /** `digest`: of the token that it was begun with; undefined where that one is valid no more */
  close(place: readonly string[], plain: Uint8Array, digest: Buffer): Buffer | undefined
  /** undefined where it was not sealed for this place with a token that is valid now */
  open(place: readonly string[], sealed: Uint8Array): Buffer | undefined
}

/** who holds one token gives out no session as another one's */
function isOf({ digest }: KnownToken, plain: Buffer): boolean {
  try {
    const said = JSON.parse(plain.toString())
    return said.who === whoOf(digest) && said.digest === digest.toString('base64url')
  } catch {
    return false
  }
}

export function createSessionSeal(secret: Uint8Array, tokens: Pick<OperatorTokens, 'known'>): SessionSeal {
  const made = new WeakMap<KnownToken, Envelopes>()
  function envelopesOf(token: KnownToken): Envelopes {
    const envelopes = made.get(token) ?? createEnvelopes(Buffer.concat([token.sealing, secret]), 'sessions 2')
    made.set(token, envelopes)
    return envelopes
  }

  return {
    close(place, plain, digest) {
      const token = tokens.known().find((one) => one.digest.equals(digest))
      return token && envelopesOf(token).close(place, plain)
    },
    open(place, sealed) {
      for (const token of tokens.known()) {
        const plain = envelopesOf(token).open(place, sealed)
        if (plain && isOf(token, plain)) return plain
      }
      return undefined
    },
  }
}
