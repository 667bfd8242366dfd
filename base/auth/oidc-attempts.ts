// Attempts to sign in with a provider: what a browser takes along to the provider and back, sealed in a short-lived cookie.
// Nothing is stored for a browser that has not come back, so beginning many attempts fills nothing.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { associate, seal, unseal } from '../core/seal.ts'

export interface OidcAttempt {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** where to go afterwards: one line */
  readonly next: string
}

export interface OidcAttempts {
  readonly longestSec: number
  /** the value of the cookie */
  seal(attempt: OidcAttempt): string
  /** the attempt that this browser began, once: a second answer for it gets undefined */
  take(cookie: string | undefined, state: string | undefined): OidcAttempt | undefined
}

export interface OidcAttemptsOptions {
  /** of the installation: another process may get the answer */
  readonly key: Uint8Array
  /** attempts of another client are none */
  readonly redirectUri: string
  readonly now: () => number
}

const longestMs = 10 * 60_000
/** clocks of several processes differ */
const toleranceMs = 60_000
const mostUsed = 20_000

export function createOidcAttempts({ key, redirectUri, now }: OidcAttemptsOptions): OidcAttempts {
  const place = associate('sign-in with a provider', redirectUri)
  const used = new LRUCache<string, true>({ max: mostUsed })

  function open(cookie: string): (OidcAttempt & { readonly endsAt: number }) | undefined {
    const plain = unseal(key, place, Buffer.from(cookie, 'base64url'))
    if (!plain) return undefined
    const [state = '', nonce = '', verifier = '', endsAt, next = ''] = plain.toString().split('\n')
    return { state, nonce, verifier, next, endsAt: Number(endsAt) }
  }

  return {
    longestSec: longestMs / 1_000,
    seal({ state, nonce, verifier, next }) {
      const text = [state, nonce, verifier, now() + longestMs, next].join('\n')
      return seal(key, place, Buffer.from(text)).toString('base64url')
    },
    take(cookie, state) {
      if (cookie === undefined || state === undefined || cookie.length > 4_096) return undefined
      const attempt = open(cookie)
      if (!attempt || hash('sha256', attempt.state) !== hash('sha256', state)) return undefined
      const leftMs = attempt.endsAt - now()
      // more than the longest time can remain only if the clock was set back
      if (leftMs <= 0 || leftMs > longestMs + toleranceMs || used.has(attempt.state)) return undefined
      used.set(attempt.state, true)
      return attempt
    },
  }
}
