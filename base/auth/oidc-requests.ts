// Requests to an OpenID Connect provider: bounded in time, size and number, without redirects, and over TLS unless the provider
// runs on this machine. The one place of base that calls out.
import { OidcError } from './oidc-error.ts'
import { isSafeUrl } from './oidc-settings.ts'

const timeoutMs = 5_000
const mostBytes = 256 * 1024
const mostAtOnce = 16

async function readBody(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of response.body ?? []) {
    length += part.length
    if (length > mostBytes) throw new OidcError('unavailable', 'an answer of the provider is too large')
    parts.push(part)
  }
  return Uint8Array.from(Buffer.concat(parts))
}

const reasonOf = (error: unknown): string => {
  const { name, cause } = error as Error
  if (name === 'TimeoutError') return `the provider did not answer within ${timeoutMs / 1_000} s`
  const code = (cause as NodeJS.ErrnoException | undefined)?.code
  return `the provider cannot be reached${code === undefined ? '' : ` (${code})`}`
}

interface Sent {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: URLSearchParams | undefined
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** answers are read whole before they are judged */
export function createOidcRequests(send: Fetch = fetch): (url: string, sent: Sent) => Promise<Response> {
  let under = 0
  return async (url, { method, headers: fields, body }) => {
    if (!isSafeUrl(url)) throw new OidcError('unavailable', 'the provider names an endpoint without TLS')
    if (under >= mostAtOnce) throw new OidcError('unavailable', 'too many sign-ins are under way')
    under++
    try {
      const signal = AbortSignal.timeout(timeoutMs)
      const init = { method, headers: fields, body: body ?? null, redirect: 'manual', signal } as const
      const response = await send(url, init)
      const bytes = await readBody(response)
      const { status, headers } = response
      return new Response(bytes.length > 0 ? bytes : null, { status, headers })
    } catch (error) {
      throw error instanceof OidcError ? error : new OidcError('unavailable', reasonOf(error))
    } finally {
      under--
    }
  }
}
