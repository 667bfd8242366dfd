// Seals console sessions with a key byToken of the store's secret and the session's operator token: a copy of the store plus
// access to Redis neither opens nor forges one.
import { attempt } from '../../../base/core/attempt.ts'
import { type ValidToken, type OperatorTokens, whoOf } from '../../../base/auth/operator-token.ts'
import { isProviderName } from '../../../base/auth/oidc-operators.ts'
import { createSealedMessages, type SealedMessages } from '../../../base/redis/sealed-messages.ts'

export type SessionSeal = ReturnType<typeof createSessionSeal>

/** the holder of one token must not pass off a session as that of another */
function isOf({ digest, ofProvider }: ValidToken, plain: Buffer): boolean {
  const said = attempt(() => JSON.parse(plain.toString()))
  if (said?.digest !== digest.toString('base64url')) return false
  return ofProvider ? isProviderName(said.who) && typeof said.role === 'string' : said.who === whoOf(digest)
}

export function createSessionSeal(secret: Uint8Array, tokens: Pick<OperatorTokens, 'validTokens'>) {
  const byToken = new WeakMap<ValidToken, SealedMessages>()
  function sealedBy(token: ValidToken): SealedMessages {
    const sealed = byToken.get(token) ?? createSealedMessages(Buffer.concat([token.sealing, secret]), 'sessions 2')
    byToken.set(token, sealed)
    return sealed
  }

  return {
    /** `digest`: of the token the session began with; undefined where that is no longer valid */
    seal(place: readonly string[], plain: Uint8Array, digest: Buffer): Buffer | undefined {
      const token = tokens.validTokens().find((one) => one.digest.equals(digest))
      return token && sealedBy(token).seal(place, plain)
    },
    /** undefined unless it was sealed for this place with a token that is valid now */
    open(place: readonly string[], sealed: Uint8Array): Buffer | undefined {
      for (const token of tokens.validTokens()) {
        const plain = sealedBy(token).open(place, sealed)
        if (plain && isOf(token, plain)) return plain
      }
      return undefined
    },
  }
}
