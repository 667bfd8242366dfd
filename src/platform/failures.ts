// From what the platform answered, or did not, to the problem that the caller is told. The platform's words stay here:
// its details repeat ids and paths, and are nobody's instructions.
import { errors as undici } from 'undici'
import { malformed, Problem } from '../problem.ts'
import { readRetryAfter } from './retry-after.ts'

export interface Refusal {
  readonly status: number
  readonly retryAfter: string | undefined
  /** the parsed body, or undefined where it was no JSON */
  readonly body: unknown
  /** platform parameter -> the caller's */
  readonly given: ReadonlyMap<string, string>
  readonly nowMs: number
}

interface PlatformError {
  readonly code?: unknown
  readonly source?: { readonly parameter?: unknown }
}

function errorsOf(body: unknown): readonly PlatformError[] {
  if (typeof body !== 'object' || body === null || !('errors' in body) || !Array.isArray(body.errors)) return []
  return body.errors.filter((e: unknown): e is PlatformError => typeof e === 'object' && e !== null)
}

/** the caller's parameter that the platform complains about, if it was his */
function blamed({ body, given }: Refusal): string | undefined {
  for (const { source } of errorsOf(body)) {
    const param = typeof source?.parameter === 'string' ? given.get(source.parameter) : undefined
    if (param !== undefined) return param
  }
  return undefined
}

function badRequest(refusal: Refusal): Problem {
  const param = blamed(refusal)
  if (param === undefined)
    return new Problem('upstream_failed', { cause: 'the platform refused a request of our making' })
  if (param === 'cursor') return new Problem('cursor_expired', { param })
  return new Problem('platform_refused_value', {
    param,
    message: `The platform does not accept this value of "${param}".`,
  })
}

function forbidden({ body }: Refusal): Problem {
  const agreement = errorsOf(body).some(
    ({ code }) => typeof code === 'string' && code.startsWith('FORBIDDEN.REQUIRED_AGREEMENTS'),
  )
  return new Problem(agreement ? 'upstream_agreement_missing' : 'upstream_forbidden')
}

function waiting({ retryAfter, nowMs }: Refusal): { retryAfterSec?: number } {
  const seconds = readRetryAfter(retryAfter, nowMs)
  return seconds === undefined ? {} : { retryAfterSec: seconds }
}

const table: Readonly<Record<number, (refusal: Refusal) => Problem>> = {
  400: badRequest,
  401: () => new Problem('upstream_key_rejected', { cause: 'the platform answered 401 twice' }),
  403: forbidden,
  404: () => new Problem('resource_not_found'),
  410: () => new Problem('resource_not_found'),
  429: (refusal) => new Problem('upstream_rate_limited', waiting(refusal)),
  503: (refusal) => new Problem('upstream_unavailable', { ...waiting(refusal), cause: 'the platform answered 503' }),
  504: () => new Problem('upstream_timeout', { cause: 'the platform answered 504' }),
}

/** any status but 200 */
export function problemOfStatus(refusal: Refusal): Problem {
  const { status } = refusal
  const known = table[status]?.(refusal)
  if (known) return known
  return status >= 400 && status <= 599
    ? new Problem('upstream_failed', { cause: `the platform answered ${status}` })
    : malformed(`the platform answered ${status}`)
}

const timeouts = [undici.HeadersTimeoutError, undici.BodyTimeoutError, undici.ConnectTimeoutError]
const broken = [undici.HTTPParserError, undici.ResponseContentLengthMismatchError, undici.HeadersOverflowError]

/** A call that came to no answer. `answering`: the headers had arrived. */
export function problemOfError(error: unknown, answering: boolean): Problem {
  if (error instanceof Problem) return error
  const name = error instanceof Error ? error.name : 'unknown'
  const code = error instanceof Error && 'code' in error ? String(error.code) : name
  if (name === 'TimeoutError' || timeouts.some((type) => error instanceof type))
    return new Problem('upstream_timeout', { cause: code })
  // undici's words for an answer that is none, such as an upgrade that nobody asked for
  const bad = error instanceof undici.SocketError && error.message.startsWith('bad ')
  if (answering || bad || broken.some((type) => error instanceof type))
    return malformed(`the answer broke off: ${code}`)
  return new Problem('upstream_unavailable', { cause: code })
}
