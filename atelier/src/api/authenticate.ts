// Who asks: an API key, or a browser session with its CSRF token. Where a key is wanted a cookie alone is ignored; a page of this
// origin proves its session by `Authorization: Session <csrfToken>`, an addition to the contract.
import type { IncomingMessage } from 'node:http'
import { upgradeOf } from '../../../base/web/upgrades.ts'
import { createFailureLimit, sourceOf } from '../accounts/failure-limit.ts'
import type { ApiKeys } from '../accounts/api-keys.ts'
import type { Scope } from '../accounts/scopes.ts'
import { isCsrf, type Sessions } from '../accounts/sessions.ts'
import { Problem, refuse } from '../problems.ts'
import type { ApiExchange } from './exchange.ts'
import type { Identity, RouteDefinition } from './route.ts'

const minuteMs = 60_000

export interface Authenticated extends Identity {
  readonly scopes: readonly string[]
  /** of the session, in place of a key */
  readonly token?: string
}

export interface AuthenticateParts {
  readonly keys: ApiKeys
  readonly sessions: Sessions
  readonly cookieName: string
  readonly origin: string
  readonly failuresPerMinute: number
  readonly now: () => number
}

export function cookieOf({ headers }: IncomingMessage, name: string): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}

/** another origin cannot send this field: browsers ask first, and are refused */
function tokenOf({ headers }: IncomingMessage, { credential, isForKeysAlone }: RouteDefinition): string | undefined {
  if (isForKeysAlone || (credential !== 'key' && credential !== 'either')) return undefined
  return /^Session ([\w-]{1,100})$/i.exec(headers.authorization ?? '')?.[1]
}

const nobody: Authenticated = { account: '', keyId: undefined, session: undefined, scopes: [] }

export function createAuthenticate({ keys, sessions, cookieName, origin, failuresPerMinute, now }: AuthenticateParts) {
  const failures = createFailureLimit({ most: failuresPerMinute, windowMs: minuteMs, now })

  async function byKey({ req, from }: ApiExchange): Promise<Authenticated> {
    const key = await keys.authenticate(req.headers.authorization)
    if (key) return { account: key.account, keyId: key.id, session: undefined, scopes: key.scopes }
    const source = sourceOf(from)
    // failing attempts alone are limited: a right key is never refused for them
    const retryAfterSec = failures.waitOf(source)
    if (retryAfterSec > 0) throw new Problem('rate_limited', { retryAfterSec })
    failures.failed(source)
    throw new Problem('unauthorized')
  }

  const bySession = async ({ req }: ApiExchange): Promise<Authenticated | undefined> => {
    const session = await sessions.find(cookieOf(req, cookieName))
    return session && { account: session.account, keyId: undefined, session, scopes: [] }
  }

  return {
    async caller(exchange: ApiExchange, route: RouteDefinition): Promise<Authenticated> {
      const { credential } = route
      if (credential === 'none') return nobody
      const token = tokenOf(exchange.req, route)
      if (token !== undefined) {
        const caller = await bySession(exchange)
        if (!caller) throw new Problem('session_required')
        return { ...caller, token }
      }
      if (credential === 'key') return byKey(exchange)
      const hasKey = exchange.req.headers.authorization !== undefined
      if (credential === 'either' && hasKey) return byKey(exchange)
      const found = await bySession(exchange)
      if (found) return found
      return credential === 'either' ? byKey(exchange) : Promise.reject(new Problem('session_required'))
    },
    checkScope({ keyId, scopes }: Authenticated, scope: Scope | undefined) {
      if (scope !== undefined && keyId !== undefined && !scopes.includes(scope)) throw refuse('forbidden', { scope })
    },
    checkCsrf({ req }: ApiExchange, { session, token }: Authenticated, { withoutCsrf }: RouteDefinition) {
      const isReading = req.method === 'GET' || req.method === 'HEAD'
      // a browser lets any site open a WebSocket, with the cookies of ours and no header of a page
      if (session && upgradeOf(req) && req.headers.origin !== origin) throw new Problem('csrf_failed')
      if (session && token !== undefined) {
        if (!isCsrf(session, token) || (!isReading && req.headers.origin !== origin)) throw new Problem('csrf_failed')
        return
      }
      if (isReading) return
      if (withoutCsrf && req.headers.origin !== undefined && req.headers.origin !== origin)
        throw new Problem('csrf_failed')
      if (withoutCsrf || !session) return
      const given = req.headers['x-csrf-token']
      if (req.headers.origin !== origin || !isCsrf(session, typeof given === 'string' ? given : undefined))
        throw new Problem('csrf_failed')
    },
  }
}

export type Authenticate = ReturnType<typeof createAuthenticate>
