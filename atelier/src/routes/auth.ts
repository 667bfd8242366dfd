// The sign-in page, sessions and sign-out.
import { cookieOf } from '../api/authenticate.ts'
import { type Answer, type answered, type RouteRequest } from '../api/route.ts'
import { checkMembers, collectBody, mediaTypeOf } from '../api/request-body.ts'
import { parseStrictJson } from '../api/strict-json.ts'
import type { Session } from '../accounts/sessions.ts'
import { Problem } from '../problems.ts'
import { beginSession, nextParameter, readNext, redirect, sendPage, setCookie } from './browser-answers.ts'
import { type SignInPage, signInPage } from './sign-in-page.ts'
import { defineRoute, type Service } from './service.ts'

const mostBytes = 64 * 1024
const formType = 'application/x-www-form-urlencoded'

const credentialsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['email', 'password'],
  properties: {
    email: { type: 'string', minLength: 3, maxLength: 254 },
    password: { type: 'string', minLength: 1, maxLength: 256 },
  },
} as const

const presentSession = async ({ account, csrf, endsAt }: Session, { store }: Service) => {
  const found = await store.accounts.find(account)
  if (!found) throw new Problem('session_required')
  return { user: { id: found.id, email: found.email }, csrfToken: csrf, expiresAt: new Date(endsAt).toISOString() }
}

const pageOf = (next: string, { oidc }: Service): SignInPage => ({ next, provider: oidc?.title })

export const showSignIn = defineRoute({
  method: 'GET',
  path: '/auth/login',
  operationId: 'showSignIn',
  tag: 'sessions',
  summary: 'Show the sign-in page',
  description:
    'An addition to the contract: with `Accept: application/json`, the ways to sign in. `provider` is the title of the OpenID Connect provider of /auth/oidc, or null.',
  credential: 'none',
  query: nextParameter,
  answers: {
    200: [
      { media: 'text/html', description: 'A page that works without scripts.' },
      { json: 'SignInWays', description: 'The ways to sign in.' },
    ],
  },
  refusals: [],
  async run({ query, exchange }, service): Promise<Answer | typeof answered> {
    const page = pageOf(readNext(query.next), service)
    if (exchange.req.headers.accept === 'application/json')
      return { status: 200, body: { provider: page.provider ?? null } }
    return sendPage({ exchange }, 200, signInPage(page))
  },
})

interface Credentials {
  readonly email: string
  readonly password: string
}

async function signInByPassword({ email, password }: Credentials, request: RouteRequest, service: Service) {
  const { exchange, signal } = request
  const { id } = await service.signIn(email, password, { from: exchange.from, signal })
  return beginSession(id, request, service)
}

async function signInByForm(bytes: Buffer, request: RouteRequest, service: Service): Promise<typeof answered> {
  const fields = new URLSearchParams(bytes.toString())
  const given = request.query['next'] as string | undefined
  const next = readNext(fields.get('next') ?? given)
  const credentials = { email: fields.get('email') ?? '', password: fields.get('password') ?? '' }
  try {
    await signInByPassword(credentials, request, service)
  } catch (error) {
    const isRefused = error instanceof Problem && ['invalid_credentials', 'rate_limited'].includes(error.code)
    if (!isRefused) throw error
    const { status } = error.row
    if (error.extras.retryAfterSec !== undefined)
      request.exchange.fields.push('retry-after', String(error.extras.retryAfterSec))
    return sendPage(
      request,
      status,
      signInPage(pageOf(next, service), { email: credentials.email, fault: error.row.summary }),
    )
  }
  return redirect(request, 303, next)
}

export const signIn = defineRoute({
  method: 'POST',
  path: '/auth/login',
  operationId: 'signIn',
  tag: 'sessions',
  summary: 'Sign in with e-mail and password',
  description: 'As JSON, the answer is the session; as a form, a redirect to `next`.',
  credential: 'none',
  withoutCsrf: true,
  query: nextParameter,
  streamedBody: {
    mediaTypes: ['application/json', formType],
    description: 'E-mail and password.',
    schema: credentialsSchema,
  },
  answers: {
    200: { json: 'Session', description: 'The session; the cookie is set.' },
    303: { description: 'To `next`.' },
  },
  refusals: ['invalid_credentials', 'csrf_failed', 'rate_limited'],
  async run(request, service): Promise<Answer | typeof answered> {
    const { req } = request.exchange
    const bytes = await collectBody(request.exchange, mostBytes)
    if (mediaTypeOf(req) === formType) return signInByForm(bytes, request, service)
    const credentials = parseStrictJson(bytes)
    checkMembers(credentialsSchema, credentials)
    const session = await signInByPassword(credentials as unknown as Credentials, request, service)
    return { status: 200, body: await presentSession(session, service) }
  },
})

export const readSession = defineRoute({
  method: 'GET',
  path: '/auth/session',
  operationId: 'readSession',
  tag: 'sessions',
  summary: 'Read the session',
  credential: 'session',
  answers: { 200: { json: 'Session', description: 'The session.' } },
  refusals: [],
  async run({ caller }, service): Promise<Answer> {
    return { status: 200, body: await presentSession(caller.session as Session, service) }
  },
})

export const signOut = defineRoute({
  method: 'POST',
  path: '/auth/logout',
  operationId: 'signOut',
  tag: 'sessions',
  summary: 'Sign out',
  credential: 'session',
  answers: { 204: { description: 'The session has ended and the cookie is cleared.' } },
  refusals: [],
  async run(request, service): Promise<Answer> {
    await service.sessions.end(cookieOf(request.exchange.req, service.cookieName) ?? '')
    setCookie(request, service, service.cookieName, '', 0)
    return { status: 204 }
  },
})
