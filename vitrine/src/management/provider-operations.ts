// Sign-in with an OpenID Connect provider: where there is one, the way there, and the way back into a session.
import { OidcError } from '../../../base/auth/oidc-error.ts'
import { nameOfIdentity } from '../../../base/auth/oidc-operators.ts'
import type { OidcIdentity } from '../../../base/auth/oidc-provider.ts'
import type { Actor } from '../../../base/core/audit.ts'
import type { OperationRequest } from '../../../base/operations/operation.ts'
import { Problem, type ProblemCode } from '../problems.ts'
import type { AccessRecord } from '../reads/access-record.ts'
import { base, define, type ManagementOperation, type ManagementParts, type ProviderSignIn } from './operation.ts'
import { begun, entryOf } from './session-operations.ts'

const path = `${base}/session/provider`
export const callbackPath = `${path}/callback`
const tag = 'session'

function required({ provider }: ManagementParts): ProviderSignIn {
  if (!provider) throw new Problem('route_not_found', { message: 'No provider is configured: see the setting oidc.' })
  return provider
}

const codes: Readonly<Record<OidcError['fault'], ProblemCode>> = {
  unavailable: 'provider_unavailable',
  denied: 'sign_in_refused',
  invalid: 'sign_in_refused',
}

const rethrow = (error: unknown): never => {
  throw error instanceof OidcError ? new Problem(codes[error.fault], { cause: error.reason }) : error
}

async function identify(request: OperationRequest<AccessRecord>, { provider, attempts }: ProviderSignIn) {
  const { attempt, exchange } = request
  const answer = new URLSearchParams(exchange.query)
  const taken = attempts.take(attempt.read(), answer.get('state') ?? undefined)
  if (!taken) throw new Problem('sign_in_unknown')
  attempt.set(undefined)
  return provider.finish(answer, taken).catch(rethrow)
}

async function enter(identity: OidcIdentity, request: OperationRequest<AccessRecord>, parts: ManagementParts) {
  const { nameClaim, roleOf, credential } = required(parts)
  const who = nameOfIdentity(identity, nameClaim)
  request.identifyAs(who)
  const role = roleOf(identity)
  if (role === undefined) throw new Problem('role_missing')
  const { audit, sessions, now } = parts
  const actor: Actor = { ...request.actor, who }
  await audit.append([entryOf(begun, actor, now(), { role, issuer: identity.issuer, subject: identity.subject })])
  return sessions.begin({ who, role, digest: credential().digest })
}

export const providerOperations: readonly ManagementOperation[] = [
  define({
    method: 'GET',
    path: `${base}/session/ways`,
    operationId: 'listSignInWays',
    tag,
    act: 'session.ways',
    credentials: [],
    isPolling: true,
    summary: 'How an operator can sign in',
    description: 'An operator token is always a way.',
    answer: 'SignInWays',
    run: async (_, { provider }) => ({ provider: provider?.title ?? null }),
  }),
  define({
    method: 'GET',
    path,
    operationId: 'signInWithProvider',
    tag,
    act: 'session.leave',
    credentials: [],
    setsCookie: true,
    summary: 'Sign in with the provider',
    description: 'For browsers: leads to the OpenID Connect provider of the setting `oidc`.',
    status: 302,
    answer: 'redirect',
    refusals: ['route_not_found', 'provider_unavailable'],
    async run({ attempt }, parts) {
      const { provider, attempts } = required(parts)
      const begins = await provider.begin('/').catch(rethrow)
      attempt.set(attempts.seal(begins.attempt), attempts.longestSec)
      return begins.url
    },
  }),
  define({
    method: 'GET',
    path: callbackPath,
    operationId: 'finishSignIn',
    tag,
    act: 'session.return',
    credentials: [],
    setsCookie: true,
    hasForeignQuery: true,
    summary: 'Come back from the provider',
    description:
      'The redirect URI to register with the provider: `operatorUrl` and this path. Its answer counts once, in the browser that began. Sets the cookie of a session and leads to the console.',
    status: 303,
    answer: 'redirect',
    refusals: ['route_not_found', 'sign_in_unknown', 'sign_in_refused', 'role_missing', 'provider_unavailable'],
    async run(request, parts) {
      const { secret } = await enter(await identify(request, required(parts)), request, parts)
      request.setCookie(secret)
      return '/'
    },
  }),
]
