// Sign-in with an OpenID Connect provider: the way there, and the way back into a session.
import { OidcError } from '../../../base/auth/oidc-error.ts'
import { cookieOf } from '../api/authenticate.ts'
import { answered, type RouteRequest } from '../api/route.ts'
import { callbackPath, type OidcSignIn } from '../accounts/oidc-sign-in.ts'
import { invalid, Problem } from '../problems.ts'
import { beginSession, nextParameter, readNext, redirect, sendPage, setCookie } from './browser-answers.ts'
import { defineRoute, type Service } from './service.ts'
import { signInPage } from './sign-in-page.ts'

/** `__Host-` where the session has it: no other host of the domain can plant one */
const attemptCookie = ({ cookieName }: Service): string => cookieName.replace(/session$/, 'oidc')

function requireOidc({ oidc }: Service): OidcSignIn {
  if (!oidc) throw new Problem('not_found')
  return oidc
}

const problems = { unavailable: 'provider_unavailable', denied: 'sign_in_refused', invalid: 'sign_in_refused' } as const

const asProblem = (error: unknown): unknown =>
  error instanceof OidcError ? new Problem(problems[error.fault], { cause: error.reason }) : error

/** a person gets the sign-in page with the reason, so that the other way to `next` is at hand; a program gets the error */
function refuseSignIn(
  error: unknown,
  request: Pick<RouteRequest, 'exchange'>,
  { oidc }: Service,
  next: string,
): typeof answered {
  const { exchange } = request
  const problem = asProblem(error)
  const isPage = exchange.req.headers.accept?.includes('text/html')
  if (!isPage || !(problem instanceof Problem)) throw problem
  const { row, code, message, extras } = problem
  exchange.record.code = code
  if (typeof extras.cause === 'string') exchange.record.reason = extras.cause
  if (row.retryAfterSec !== undefined) exchange.fields.push('retry-after', String(row.retryAfterSec))
  const page = { next, provider: oidc?.title }
  return sendPage(request, row.status, signInPage(page, { email: '', fault: message }))
}

export const beginOidc = defineRoute({
  method: 'GET',
  path: '/auth/oidc',
  operationId: 'beginOidc',
  tag: 'sessions',
  summary: 'Sign in with the OpenID Connect provider',
  description: 'Sends the browser to the provider of the setting `oidc`; 404 `not_found` without one.',
  credential: 'none',
  query: nextParameter,
  answers: { 302: { description: 'To the provider.' } },
  refusals: ['not_found', 'provider_unavailable'],
  async run(request, service) {
    const oidc = requireOidc(service)
    const next = readNext(request.query.next)
    try {
      const { url, attempt } = await oidc.provider.begin(next)
      setCookie(request, service, attemptCookie(service), oidc.attempts.seal(attempt), oidc.attempts.longestSec)
      return redirect(request, 302, url)
    } catch (error) {
      return refuseSignIn(error, request, service, next)
    }
  },
})

/** the attempt that this browser began; it counts once */
function takeAttempt(request: RouteRequest, service: Service, oidc: OidcSignIn, answer: URLSearchParams) {
  const { exchange } = request
  const name = attemptCookie(service)
  const state = answer.get('state') ?? undefined
  const attempt = oidc.attempts.take(cookieOf(exchange.req, name), state)
  if (!attempt)
    throw invalid('state', 'this browser began no such sign-in, or it is older than ten minutes, or used; start again')
  setCookie(request, service, name, '', 0)
  return attempt
}

export const finishOidc = defineRoute({
  method: 'GET',
  path: callbackPath,
  operationId: 'finishOidc',
  tag: 'sessions',
  summary: 'Come back from the provider',
  description:
    'The redirect URI to register with the provider. Its answer counts once, in the browser that began. Parameters that are not listed are ignored, as the protocol wants it.',
  credential: 'none',
  query: {
    code: { description: 'The code of the provider.', schema: { type: 'string' } },
    state: { description: 'What was sent along.', schema: { type: 'string' } },
    iss: { description: 'The issuer, from providers that send it (RFC 9207).', schema: { type: 'string' } },
    error: { description: 'Why the provider refuses.', schema: { type: 'string' } },
  },
  hasForeignQuery: true,
  answers: { 303: { description: 'Into a session: to `next` of the beginning, or /api-keys.' } },
  refusals: ['not_found', 'sign_in_refused', 'forbidden', 'provider_unavailable'],
  async run(request, service) {
    const oidc = requireOidc(service)
    const answer = new URLSearchParams(request.exchange.query)
    let next = readNext(undefined)
    try {
      const attempt = takeAttempt(request, service, oidc, answer)
      next = attempt.next
      const identity = await oidc.provider.finish(answer, attempt)
      await beginSession(await oidc.accountOf(identity), request, service)
      return redirect(request, 303, next)
    } catch (error) {
      return refuseSignIn(error, request, service, next)
    }
  },
})
