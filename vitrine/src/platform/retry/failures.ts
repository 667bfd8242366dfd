// Turns what the platform answered, or failed to answer, into the problem that the caller gets. The platform's own texts stay
// here: they repeat ids and paths, and are untrusted.
import { isJsonObject } from '../../../../base/core/json.ts'
import { malformed, Problem } from '../../problems.ts'
import { privateAddress } from '../call/address-lookup.ts'
import { ProxyError } from '../proxy/proxy-error.ts'
import { readRetryAfter } from './retry-after.ts'

export interface Refusal {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: unknown
  readonly isWhole?: boolean
  readonly given: ReadonlyMap<string, string>
  readonly nowMs: number
}

interface PlatformError {
  readonly code?: unknown
  readonly source?: { readonly parameter?: unknown }
}

function errorsOf(body: unknown): readonly PlatformError[] {
  const errors = isJsonObject(body) ? body['errors'] : undefined
  return Array.isArray(errors) ? errors.filter((error): error is PlatformError => isJsonObject(error)) : []
}

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
  const retryAfterSec = readRetryAfter(retryAfter, nowMs)
  return retryAfterSec === undefined ? {} : { retryAfterSec }
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

export function problemOfStatus(refusal: Refusal): Problem {
  const { status } = refusal
  const known = table[status]?.(refusal)
  if (known) return known
  return status >= 400 && status <= 599
    ? new Problem('upstream_failed', { cause: `the platform answered ${status}` })
    : malformed(`the platform answered ${status}`)
}

export class Failure extends Error {
  readonly problem: Problem
  readonly status: number | undefined
  readonly again: boolean
  /** whether the platform seems to be down */
  readonly down: boolean
  /** false: the refusal is not in the platform's format, so a proxy may have answered */
  readonly isOwn: boolean
  /** a kept-alive socket was closed before the request was handled */
  stale = false
  /** platform calls made: two where a 401 was retried */
  calls = 1

  constructor(
    problem: Problem,
    {
      status,
      again = false,
      down = false,
      isOwn = true,
    }: Partial<Pick<Failure, 'status' | 'again' | 'down' | 'isOwn'>>,
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

/** Any status but 200. One with Retry-After is not retried: the platform means it. */
export function failureOfStatus(refusal: Refusal): Failure {
  const problem = problemOfStatus(refusal)
  const { status } = refusal
  const again = worthAnother.has(status) && problem.extras.retryAfterSec === undefined
  const isOwn = refusal.isWhole === false || errorsOf(refusal.body).length > 0
  return new Failure(problem, { status, again, down: status === 503 || status === 504, isOwn })
}

const timeouts = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])
const misfit = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
const cut = new Set(
  `${misfit} UND_ERR_SOCKET UND_ERR_INFO UND_ERR_DESTROYED UND_ERR_CLOSED ECONNRESET EPIPE ECONNREFUSED ECONNABORTED
  EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN EADDRNOTAVAIL ENOTFOUND EAI_AGAIN ETIMEDOUT`.split(/\s+/),
)
const scarce = new Set(['EMFILE', 'ENFILE'])
const untrusted = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO)/

function causeOf(error: unknown): { name: string; code: string } {
  const one = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  const name = one instanceof Error ? one.name : 'unknown'
  return { name, code: one instanceof Error && 'code' in one && typeof one.code === 'string' ? one.code : name }
}

function failureOfSocket(code: string, answering: boolean): Failure {
  if (answering || code === misfit) return new Failure(malformed(`the answer broke off: ${code}`), { again: true })
  return new Failure(new Problem('upstream_unavailable', { cause: code }), { again: true, down: true })
}

/** to a call the platform is gone, whatever the proxy answered */
function failureOfProxy({ code, again, message: cause }: ProxyError): Failure {
  const late = code === 'proxy_timeout'
  return new Failure(new Problem(late ? 'upstream_timeout' : 'upstream_unavailable', { cause }), { again, down: true })
}

export function failureOfError(error: unknown, answering: boolean): Failure {
  if (error instanceof Failure) return error
  if (error instanceof ProxyError) return failureOfProxy(error)
  if (error instanceof Problem) return new Failure(error, {})
  const { name, code } = causeOf(error)
  const timeout = (again: boolean) =>
    new Failure(new Problem('upstream_timeout', { cause: code }), { again, down: !answering })
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return timeout(true)
  if (name === 'TimeoutError' || timeouts.has(code)) return timeout(false)
  // an unwanted upgrade and a status below 100 have no code of their own in undici
  const bad = (code === 'UND_ERR_SOCKET' && (error as Error).message.startsWith('bad ')) || code === 'ERR_ASSERTION'
  if (bad || name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW')
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
