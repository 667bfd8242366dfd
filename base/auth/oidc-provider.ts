// Signs people in with an OpenID Connect provider: code flow with PKCE, state and nonce. Who they are is believed only from an id
// token with a valid signature, issuer, audience, nonce and times.
import {
  allowInsecureRequests,
  type AuthorizationServer,
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  type Client,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  clockSkew,
  clockTolerance,
  customFetch,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  getValidatedIdTokenClaims,
  None,
  processAuthorizationCodeResponse,
  processUserInfoResponse,
  userInfoRequest,
  validateAuthResponse,
} from 'oauth4webapi'
import type { OidcAttempt } from './oidc-attempts.ts'
import { createDiscovery, createSignatureCheck } from './oidc-discovery.ts'
import { OidcError } from './oidc-error.ts'
import { toOidcError } from './oidc-faults.ts'
import { createOidcRequests, type Fetch } from './oidc-requests.ts'
import { isSafeUrl } from './oidc-settings.ts'

type Claims = Readonly<Record<string, unknown>>

export interface OidcIdentity {
  readonly issuer: string
  readonly subject: string
  /** of all sources; those of the id token win */
  readonly claims: Claims
  /** the id token and, if it was asked, the user info endpoint: claims that qualify each other must come from one of them */
  readonly sources: readonly Claims[]
}

export interface OidcProvider {
  /** where to send the browser, and what must come back with it */
  begin(next: string): Promise<{ readonly url: string; readonly attempt: OidcAttempt }>
  /** throws an OidcError */
  finish(answer: URLSearchParams, attempt: OidcAttempt): Promise<OidcIdentity>
  /** throws an OidcError if the provider cannot be used */
  check(): Promise<void>
}

export interface OidcProviderOptions {
  readonly issuer: string
  readonly clientId: string
  /** asked at each sign-in, so that a new secret counts at once; undefined: a public client */
  readonly readSecret: () => string | undefined
  readonly scope: string
  /** claims to ask for at the user info endpoint if the id token has none of that name */
  readonly claims: readonly string[]
  readonly redirectUri: string
  readonly now: () => number
  /** instead of Node's own `fetch` */
  readonly send?: Fetch | undefined
}

const toleranceSec = 60
const subjectForm = /^[^\p{Cc}]{1,255}$/u

function authenticationOf(
  { token_endpoint_auth_methods_supported: offered = ['client_secret_basic'] }: AuthorizationServer,
  secret: string | undefined,
): ClientAuth {
  if (secret === undefined) return None()
  const isPost = !offered.includes('client_secret_basic') && offered.includes('client_secret_post')
  return isPost ? ClientSecretPost(secret) : ClientSecretBasic(secret)
}

async function authorizationUrl(
  { authorization_endpoint: endpoint }: AuthorizationServer,
  { clientId, redirectUri, scope }: OidcProviderOptions,
  { state, nonce, verifier }: OidcAttempt,
): Promise<string> {
  const url = new URL(String(endpoint))
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

export function createOidcProvider(provider: OidcProviderOptions): OidcProvider {
  const { issuer, clientId, readSecret, claims: wanted, redirectUri, now } = provider
  const options = {
    [customFetch]: createOidcRequests(provider.send),
    [allowInsecureRequests]: issuer.startsWith('http:'),
  }
  const discover = createDiscovery(issuer, now, options)
  const checkSignature = createSignatureCheck(now, options)

  /** the library reads the clock of the machine; the service may have another */
  const clientOf = (): Client => ({
    client_id: clientId,
    [clockSkew]: Math.round((now() - Date.now()) / 1_000),
    [clockTolerance]: toleranceSec,
  })

  async function redeem(found: AuthorizationServer, client: Client, answer: URLSearchParams, attempt: OidcAttempt) {
    const parameters = validateAuthResponse(found, client, answer, attempt.state)
    if (!parameters.has('code')) throw new OidcError('invalid', 'the answer has no code')
    const proof = [authenticationOf(found, readSecret()), parameters, redirectUri, attempt.verifier] as const
    const response = await authorizationCodeGrantRequest(found, client, ...proof, options)
    const expected = { expectedNonce: attempt.nonce, requireIdToken: true }
    const tokens = await processAuthorizationCodeResponse(found, client, response, expected)
    await checkSignature(found, response)
    const claims = getValidatedIdTokenClaims(tokens)
    if (!claims) throw new OidcError('invalid', 'the answer has no id token')
    if (claims.iat > now() / 1_000 + toleranceSec)
      throw new OidcError('invalid', 'the id token was issued in the future')
    if (!subjectForm.test(claims.sub))
      throw new OidcError('invalid', 'the subject is no line of at most 255 characters')
    return { claims, accessToken: tokens.access_token }
  }

  async function identify(answer: URLSearchParams, attempt: OidcAttempt): Promise<OidcIdentity> {
    const [found, client] = [await discover(), clientOf()]
    const { claims, accessToken } = await redeem(found, client, answer, attempt)
    const identity = { issuer: claims.iss, subject: claims.sub, claims, sources: [claims] }
    const { userinfo_endpoint: endpoint } = found
    // what a scope stands for may be given there alone (OpenID Connect Core, 5.4)
    if (endpoint === undefined || !isSafeUrl(endpoint) || wanted.every((name) => name in claims)) return identity
    const response = await userInfoRequest(found, client, accessToken, options)
    const more = await processUserInfoResponse(found, client, claims.sub, response)
    return { ...identity, claims: { ...more, ...claims }, sources: [claims, more] }
  }

  return {
    async begin(next) {
      const attempt = {
        state: generateRandomState(),
        nonce: generateRandomNonce(),
        verifier: generateRandomCodeVerifier(),
        next,
      }
      return { url: await authorizationUrl(await discover(), provider, attempt), attempt }
    },
    finish: (answer, attempt) =>
      identify(answer, attempt).catch((error: unknown) => Promise.reject(toOidcError(error))),
    check: async () => void (await discover()),
  }
}
