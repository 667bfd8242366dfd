// What a provider says of itself: its endpoints, and the keys of its signatures. Both are read again as they age, and the keys
// also when a token names one that is not known.
import {
  type AuthorizationServer,
  discoveryRequest,
  processDiscoveryResponse,
  validateApplicationLevelSignature,
} from 'oauth4webapi'
import { OidcError } from './oidc-error.ts'
import { toOidcError } from './oidc-faults.ts'
import { isSafeUrl } from './oidc-settings.ts'

/** signatures that are believed, whatever the provider offers */
const algorithms = ['RS256', 'ES256']
const discoveredMs = 10 * 60_000
/** a token of an unknown key has the keys read again, but not each such token */
const rereadMs = 10_000
const required = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const

function checkMetadata(found: AuthorizationServer): AuthorizationServer {
  for (const name of required)
    if (!isSafeUrl(String(found[name]))) throw new OidcError('unavailable', `the provider has no usable ${name}`)
  return { ...found, id_token_signing_alg_values_supported: algorithms }
}

async function discover(issuer: string, options: object): Promise<AuthorizationServer> {
  const url = new URL(issuer)
  try {
    return checkMetadata(await processDiscoveryResponse(url, await discoveryRequest(url, options)))
  } catch (error) {
    // whatever is wrong with it, the provider cannot be used
    throw new OidcError('unavailable', toOidcError(error).reason)
  }
}

/** one reading for all who ask meanwhile; one that failed is not kept */
export function createDiscovery(issuer: string, now: () => number, options: object) {
  let known: { readonly found: Promise<AuthorizationServer>; readonly endsAt: number } | undefined
  return (): Promise<AuthorizationServer> => {
    if (known && now() < known.endsAt) return known.found
    const mine = { found: discover(issuer, options), endsAt: now() + discoveredMs }
    known = mine
    mine.found.catch(() => {
      if (known === mine) known = undefined
    })
    return mine.found
  }
}

export function createSignatureCheck(now: () => number, options: object) {
  // the library keeps the keys by the object of the description: a copy of it has none yet
  const copies = new WeakMap<AuthorizationServer, AuthorizationServer>()
  let rereadAt = Number.NEGATIVE_INFINITY
  return async (found: AuthorizationServer, response: Response): Promise<void> => {
    try {
      await validateApplicationLevelSignature(copies.get(found) ?? found, response, options)
    } catch (error) {
      const isUnknownKey = (error as { code?: unknown }).code === 'OAUTH_KEY_SELECTION_FAILED'
      if (!isUnknownKey || now() - rereadAt < rereadMs) throw error
      rereadAt = now()
      const copy = { ...found }
      copies.set(found, copy)
      await validateApplicationLevelSignature(copy, response, options)
    }
  }
}
