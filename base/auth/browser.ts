// What a browser sends beside the request: the session cookie and its origin. Clients with a token send neither.
import type { IncomingMessage } from 'node:http'
import { Problem } from '../core/problem.ts'
import type { Proxies } from '../web/address.ts'

export interface Browser {
  readSecret(): string | undefined
  readonly csrf: string | undefined
  checkOrigin(): void
  cookieOf(secret: string | undefined): string
  /** of a sign-in with a provider: sent when the provider sends the browser back */
  readAttempt(): string | undefined
  attemptCookieOf(value: string | undefined, maxAgeSec?: number): string
}

export interface BrowserNames {
  readonly name: string
  readonly path: string
}

interface Own {
  readonly secure: boolean
  readonly host: string
}

const first = (field: string | string[] | undefined): string | undefined =>
  field === undefined ? undefined : String(field).split(',', 1)[0]?.trim()

/** only trusted proxies may say this; a page of another origin cannot set these fields */
function ownOf({ socket, headers }: IncomingMessage, proxies: Proxies): Own {
  const host = headers.host ?? ''
  if (!proxies.trusts(socket.remoteAddress ?? '')) return { secure: false, host }
  const secure = first(headers['x-forwarded-proto'])?.toLowerCase() === 'https'
  return { secure, host: first(headers['x-forwarded-host']) ?? host }
}

/** a URL's host is in lower case, without the default port of its scheme */
function isOwn(origin: string, { secure, host }: Own): boolean {
  const page = URL.parse(origin)
  if (!page || page.origin !== origin || !/^https?:$/.test(page.protocol)) return false
  if (secure && page.protocol !== 'https:') return false
  return /^[\w.~%:[\]-]+$/.test(host) && URL.parse(`${page.protocol}//${host}`)?.host === page.host
}

/**
 * Cookies ignore ports, so the name carries the port: services of one machine do not sign each other out.
 * Browsers accept the prefix over https only.
 */
function cookieNameOf(name: string, { secure, host }: Own): string {
  const [, port] = /:(\d{1,5})$/.exec(host) ?? []
  return `${secure ? '__Secure-' : ''}${name}${port === undefined ? '' : `_${port}`}`
}

function readCookie(field: string | undefined, name: string): string | undefined {
  const mine = (field ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
  if (mine.length > 1)
    // another service of this host may have set the second one
    throw new Problem('ambiguous_header', { message: 'The cookie of the session is there twice: delete both.' })
  return mine[0]?.slice(name.length + 1)
}

export function browserOf(req: IncomingMessage, proxies: Proxies, { name, path }: BrowserNames): Browser {
  const { headers } = req
  const own = ownOf(req, proxies)
  const [cookie, attempt] = [cookieNameOf(`${name}_session`, own), cookieNameOf(`${name}_sign_in`, own)]
  const standing = `Path=${path}; HttpOnly; SameSite=Strict${own.secure ? '; Secure' : ''}`
  return {
    readSecret: () => readCookie(headers.cookie, cookie),
    csrf: headers[`x-${name}-csrf`]?.toString(),
    checkOrigin() {
      const { origin, 'sec-fetch-site': site } = headers
      const isElsewhere = site !== undefined && site !== 'same-origin'
      if (isElsewhere || (origin !== undefined && !isOwn(origin, own))) throw new Problem('origin_not_allowed')
    },
    cookieOf: (secret) => `${cookie}=${secret ?? ''}; ${standing}${secret === undefined ? '; Max-Age=0' : ''}`,
    readAttempt: () => readCookie(headers.cookie, attempt),
    attemptCookieOf: (value, maxAgeSec = 0) =>
      `${attempt}=${value ?? ''}; ${standing.replace('Strict', 'Lax')}; Max-Age=${maxAgeSec}`,
  }
}
