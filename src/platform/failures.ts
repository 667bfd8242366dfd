// From what the platform answered, or did not, to the problem that the caller is told. The platform's words stay here:
// its details repeat ids and paths, and are nobody's instructions.
import { malformed, Problem } from '../problem.ts'
import { privateAddress } from './look-up.ts'
import { readRetryAfter } from './retry-after.ts'
import { errors as undici } from './undici.ts'

export interface Refusal {
  readonly status: number
  readonly retryAfter: string | undefined
  /** the parsed body, or undefined where it was no JSON */
  readonly body: unknown
  /** false: no body came, or not soon */
  readonly isWhole?: boolean
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

/** One call that came to no document. */
export class Failure extends Error {
  /** what the caller is told, if it stays at that */
  readonly problem: Problem
  /** where the platform answered */
  readonly status: number | undefined
  /** whether the same call may well succeed now */
  readonly again: boolean
  /** whether it looks as if nobody were there */
  readonly down: boolean
  /** false: it is no refusal in the platform's own form, so somebody else may have answered */
  readonly isOwn: boolean
  /** a socket that had been idle was gone when it was needed: nobody's trouble, and nothing was done yet */
  stale = false
  /** calls that it took: two where a 401 was repeated */
  calls = 1

  constructor(
    problem: Problem,
    {
      status,
      again = false,
      down = false,
      isOwn = true,
    }: Partial<Pick<Failure, 'again' | 'down' | 'isOwn'>> & {
      readonly status?: number
    },
  ) {
    super(problem.code)
    this.problem = problem
    this.status = status
    this.again = again
    this.down = down
    this.isOwn = isOwn
  }
}

const worthAnother = new Set([500, 502, 503, 504])

/** A status that is not 200. A platform that says when to come back means it. */
export function failureOfStatus(refusal: Refusal): Failure {
  const problem = problemOfStatus(refusal)
  const { status } = refusal
  const again = worthAnother.has(status) && problem.extras.retryAfterSec === undefined
  const isOwn = refusal.isWhole === false || errorsOf(refusal.body).length > 0
  return new Failure(problem, { status, again, down: status === 503 || status === 504, isOwn })
}

const timeouts = [undici.HeadersTimeoutError, undici.BodyTimeoutError]
const broken = [undici.HTTPParserError, undici.HeadersOverflowError]
/** an answer that is shorter than it said; before its headers are whole, one that says how long it is in two ways */
const misfit = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
/** a socket that ended, or never came to be */
const cut = new Set([
  ...['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', misfit, 'UND_ERR_INFO'],
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT'],
  ...['ENETDOWN', 'EHOSTDOWN', 'ECONNABORTED', 'UND_ERR_DESTROYED', 'UND_ERR_CLOSED'],
])
/** that is our own scarcity */
const scarce = new Set(['EMFILE', 'ENFILE'])
const untrusted = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO)/

function causeOf(error: unknown): { name: string; code: string } {
  // several addresses were tried, and none answered: the first one's reason is as good as any
  const one = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  const name = one instanceof Error ? one.name : 'unknown'
  // a DOMException has a number there that says nothing
  return { name, code: one instanceof Error && 'code' in one && typeof one.code === 'string' ? one.code : name }
}

function failureOfSocket(code: string, answering: boolean): Failure {
  if (answering || code === misfit) return new Failure(malformed(`the answer broke off: ${code}`), { again: true })
  return new Failure(new Problem('upstream_unavailable', { cause: code }), { again: true, down: true })
}

/** A call that came to no answer, or to half of one. `answering`: the headers had arrived. */
export function failureOfError(error: unknown, answering: boolean): Failure {
  if (error instanceof Failure) return error
  if (error instanceof Problem) return new Failure(error, {})
  const { name, code } = causeOf(error)
  const timeout = (again: boolean) =>
    new Failure(new Problem('upstream_timeout', { cause: code }), { again, down: !answering })
  if (error instanceof undici.ConnectTimeoutError) return timeout(true)
  if (name === 'TimeoutError' || timeouts.some((type) => error instanceof type)) return timeout(false)
  // undici's words for an answer that is none, such as an upgrade that nobody asked for, or a status below 100
  const bad = (error instanceof undici.SocketError && error.message.startsWith('bad ')) || code === 'ERR_ASSERTION'
  if (bad || broken.some((type) => error instanceof type))
    return new Failure(malformed(`the answer broke off: ${code}`), {})
  if (code === privateAddress)
    return new Failure(new Problem('upstream_failed', { cause: 'the platform has a private address' }), {})
  if (untrusted.test(code)) return new Failure(malformed(`the platform cannot be trusted: ${code}`), {})
  if (scarce.has(code)) return new Failure(new Problem('upstream_unavailable', { cause: code }), { again: true })
  return cut.has(code)
    ? failureOfSocket(code, answering)
    : new Failure(
        answering ? malformed(`the answer broke off: ${code}`) : new Problem('upstream_unavailable', { cause: code }),
        { down: !answering },
      )
}
