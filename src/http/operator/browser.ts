// What a browser says of itself beside the request: the cookie of a session, and which page asks. Programs with a token
// say none of it, and nothing here is asked of them.
import type { IncomingMessage } from 'node:http'
import { Problem } from '../../problem.ts'
import type { Proxies } from '../address.ts'
import { base } from './operation.ts'

export interface Browser {
  /** the value of our cookie; undefined where none came. Throws where two did */
  readSecret(): string | undefined
  readonly csrf: string | undefined
  /** throws where it is a page of elsewhere that asks */
  checkOrigin(): void
  /** the field that gives it the cookie, or takes it away */
  cookieOf(secret: string | undefined): string
}

/** this door as the browser sees it */
interface Own {
  readonly secure: boolean
  readonly host: string
}

const first = (field: string | string[] | undefined): string | undefined =>
  field === undefined ? undefined : String(field).split(',', 1)[0]?.trim()

/** the fields of a stranger say nothing: whoever can add them, the page of elsewhere cannot */
function ownOf({ socket, headers }: IncomingMessage, proxies: Proxies): Own {
  const host = headers.host ?? ''
  if (!proxies.trusts(socket.remoteAddress ?? '')) return { secure: false, host }
  const secure = first(headers['x-forwarded-proto'])?.toLowerCase() === 'https'
  return { secure, host: first(headers['x-forwarded-host']) ?? host }
}

/** what a URL calls its host: in small letters, and without the port that its scheme has anyway */
function isOwn(origin: string, { secure, host }: Own): boolean {
  const page = URL.parse(origin)
  if (!page || page.origin !== origin || !/^https?:$/.test(page.protocol)) return false
  if (secure && page.protocol !== 'https:') return false
  return /^[\w.~%:[\]-]+$/.test(host) && URL.parse(`${page.protocol}//${host}`)?.host === page.host
}

/**
 * Cookies know no ports: the number is in the name, so that doors of one machine do not sign each other out. The prefix
 * has browsers take it from https alone.
 */
function nameFor({ secure, host }: Own): string {
  const [, port] = /:(\d{1,5})$/.exec(host) ?? []
  return `${secure ? '__Secure-' : ''}vitrine_session${port === undefined ? '' : `_${port}`}`
}

function readCookie(field: string | undefined, name: string): string | undefined {
  const mine = (field ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
  if (mine.length > 1)
    // which of them is ours cannot be told: a neighbour of this host may have set the other
    throw new Problem('ambiguous_header', { message: 'The cookie of the session is there twice: delete both.' })
  return mine[0]?.slice(name.length + 1)
}

export function browserOf(req: IncomingMessage, proxies: Proxies): Browser {
  const { headers } = req
  const own = ownOf(req, proxies)
  const name = nameFor(own)
  const standing = `Path=${base}; HttpOnly; SameSite=Strict${own.secure ? '; Secure' : ''}`
  return {
    readSecret: () => readCookie(headers.cookie, name),
    csrf: headers['x-vitrine-csrf']?.toString(),
    checkOrigin() {
      const { origin, 'sec-fetch-site': site } = headers
      const isElsewhere = site !== undefined && site !== 'same-origin'
      if (isElsewhere || (origin !== undefined && !isOwn(origin, own))) throw new Problem('origin_not_allowed')
    },
    cookieOf: (secret) => `${name}=${secret ?? ''}; ${standing}${secret === undefined ? '; Max-Age=0' : ''}`,
  }
}
