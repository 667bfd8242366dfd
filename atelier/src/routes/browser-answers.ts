// What the routes for browsers answer with: cookies, pages and redirects.
import { cookieOf } from '../api/authenticate.ts'
import { answered, type RouteRequest } from '../api/route.ts'
import { invalid } from '../problems.ts'
import type { Service } from './service.ts'

type Browsing = Pick<RouteRequest, 'exchange'>

const standardNext = '/api-keys'

/** a path of this origin: no host, no other scheme, no backslash that a browser reads as a slash */
export function readNext(next: string | undefined): string {
  if (next === undefined) return standardNext
  const isPath = /^\/(?!\/)[!-~]*$/.test(next) && !next.includes('\\')
  if (!isPath || next.length > 2_000) throw invalid('next', 'must be a path of this origin')
  return next
}

export const nextParameter = {
  next: {
    description: 'Where to go afterwards: a path of this origin.',
    schema: { type: 'string', minLength: 1, maxLength: 2_000 },
  },
} as const

export function setCookie(
  { exchange }: Browsing,
  { settings }: Service,
  name: string,
  value: string,
  maxAgeSec?: number,
) {
  const secure = settings.publicUrl.startsWith('https:') ? '; Secure' : ''
  const age = maxAgeSec === undefined ? '' : `; Max-Age=${maxAgeSec}`
  exchange.fields.push('set-cookie', `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${age}`)
}

export function sendPage({ exchange }: Browsing, status: number, text: string): typeof answered {
  exchange.fields.push(
    'content-security-policy',
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    // no-referrer would have the browser send the form with `Origin: null`
    'referrer-policy',
    'same-origin',
  )
  exchange.send(status, text, undefined, 'text/html; charset=utf-8')
  return answered
}

export function redirect({ exchange }: Browsing, status: 302 | 303, location: string): typeof answered {
  exchange.fields.push('location', location)
  exchange.send(status, '', undefined, 'text/plain; charset=utf-8')
  return answered
}

/** a session of this account in the browser that asks */
export async function beginSession(account: string, request: RouteRequest, service: Service) {
  const { exchange } = request
  // the session that the browser brings along ends: a planted cookie gives nothing
  const earlier = cookieOf(exchange.req, service.cookieName)
  if (earlier !== undefined) await service.sessions.end(earlier)
  const { cookie, session } = await service.sessions.begin(account)
  exchange.record.accountId = account
  setCookie(request, service, service.cookieName, cookie)
  return session
}
