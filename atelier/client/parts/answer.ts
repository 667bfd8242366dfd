// Turns an HTTP response into an error, unless it is the answer that was asked for.
import { AtelierError, withoutAnswer } from './errors.ts'

export interface Reading {
  /** the address of the service, without a slash at the end */
  readonly base: string
  readonly key: string
}

type Members = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOr = (value: unknown, other: string): string => (typeof value === 'string' && value !== '' ? value : other)

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** seconds, or an HTTP date */
export function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined
  if (/^\s*\d+\s*$/.test(value)) return Number(value)
  const untilMs = / GMT\s*$/.test(value) ? Date.parse(value) - Date.now() : Number.NaN
  return Number.isNaN(untilMs) ? undefined : Math.max(0, Math.ceil(untilMs / 1000))
}

/** another server may echo the key */
const keyless = (text: string, key: string): string => text.replaceAll(key, '(key)')

/** empty if the response has none */
export const requestIdOf = ({ headers }: Response, { key }: Reading): string =>
  keyless(headers.get('x-request-id') ?? '', key)

/** the start of a foreign body, on one line */
function wordsOf(text: string, key: string): string {
  const line = keyless(text, key)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  return line.length > 120 ? `${line.slice(0, 120)}…` : line
}

/** statuses that may pass */
export const passing: ReadonlySet<number> = new Set([429, 502, 503, 504])

export function unexpected(response: Response, text: string, reading: Reading): AtelierError {
  const { status, headers } = response
  const { key } = reading
  const isMoved = response.type === 'opaqueredirect' || (status >= 300 && status < 400)
  const to = wordsOf(headers.get('location') ?? '', key)
  const kind = headers.get('content-type') ?? 'no content type'
  const message = isMoved
    ? `The address redirects${to && ` to ${to}`}. The key is not sent along: give the final address as \`url\`.`
    : `This is no answer of the service: status ${status}, ${wordsOf(kind, key)}, "${wordsOf(text, key)}".`
  const retryAfterSec = readRetryAfter(headers.get('retry-after'))
  return new AtelierError(message, {
    ...withoutAnswer('unexpected_answer', { status, requestId: requestIdOf(response, reading) }),
    ...(isMoved && { code: 'redirected' }),
    retryable: passing.has(status),
    ...(retryAfterSec !== undefined && { retryAfterSec }),
  })
}

/** `error`: the member of that name in an answer, or in the last line of a stream */
export function refusalOf(
  error: unknown,
  { status, requestId, retryAfterSec }: { status: number; requestId: string; retryAfterSec?: number | undefined },
): AtelierError | undefined {
  if (!isObject(error) || typeof error['type'] !== 'string') return undefined
  const { type, code, message, retryable, details } = error
  return new AtelierError(textOr(message, type), {
    type,
    code: textOr(code, type),
    status,
    requestId: textOr(error['requestId'], requestId),
    retryable: retryable === true,
    ...(isObject(details) && { details }),
    ...(retryAfterSec !== undefined && { retryAfterSec }),
  })
}

/** the error of a response that is no success */
export function errorOf(response: Response, text: string, reading: Reading): AtelierError {
  const said = keyless(text, reading.key)
  const body = response.status >= 400 ? parsed(said) : undefined
  const told = {
    status: response.status,
    requestId: requestIdOf(response, reading),
    retryAfterSec: readRetryAfter(response.headers.get('retry-after')),
  }
  return refusalOf(isObject(body) ? body['error'] : undefined, told) ?? unexpected(response, said, reading)
}
