// Turns an HTTP response into a result or an error. Only exactly what the service promises is a result.
import { errorClasses, RequestError, UnexpectedAnswerError, type VitrineError, withoutAnswer } from './errors.ts'
import type { OperationInfo } from './types.ts'

/** `connection`: the status of a connection, whose id is in that member */
export type Shape = OperationInfo['shape'] | 'connection'

export interface Reading {
  readonly shape: Shape
  /** the address of the service, without a slash at the end */
  readonly base: string
  readonly key: string
  readonly parse: (text: string) => unknown
}

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isResource = (value: unknown): boolean => isObject(value) && typeof value['id'] === 'string'
const isId = (value: unknown): boolean => typeof value === 'string'

function isPage(body: Members, isItem: (value: unknown) => boolean): boolean {
  const { items, nextCursor } = body
  if (nextCursor !== null && (typeof nextCursor !== 'string' || nextCursor === '')) return false
  return Array.isArray(items) && items.every(isItem)
}

function isResult(shape: Shape, body: unknown): body is Members {
  if (!isObject(body)) return false
  if (shape === 'connection') return isId(body[shape])
  if (shape === 'page') return isPage(body, isResource)
  if (shape === 'ids') return isPage(body, isId)
  return isResource(body) || (shape === 'id' && body['id'] === null)
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
export const requestIdOf = ({ headers }: Response, { key }: Pick<Reading, 'key'>): string =>
  keyless(headers.get('x-request-id') ?? '', key)

/** the start of a foreign body, on one line */
function wordsOf(text: string, key: string): string {
  const line = keyless(text, key)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  return line.length > 120 ? `${line.slice(0, 120)}…` : line
}

/** statuses that may be transient */
export const passing: ReadonlySet<number> = new Set([429, 502, 503, 504])

function unexpected(
  response: Response,
  text: string,
  { key, base }: Reading,
  requestId: string,
): UnexpectedAnswerError {
  const { status, headers } = response
  const isMoved = response.type === 'opaqueredirect' || (status >= 300 && status < 400)
  const to = wordsOf(headers.get('location') ?? '', key)
  const kind = headers.get('content-type') ?? 'no content type'
  const message = isMoved
    ? `The address redirects${to && ` to ${to}`}. The key is not sent along: give the final address as \`url\`.`
    : `This is no answer of the service: status ${status}, ${wordsOf(kind, key)}, "${wordsOf(text, key)}".`
  const retryAfterSec = readRetryAfter(headers.get('retry-after'))
  return new UnexpectedAnswerError(message, {
    ...withoutAnswer(base, isMoved ? 'redirected' : 'unexpected_answer', 'unexpected_answer'),
    status,
    requestId,
    retryable: passing.has(status),
    ...(retryAfterSec !== undefined && { retryAfterSec }),
  })
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function refusalOf(body: unknown, response: Response, base: string, headerId: string): VitrineError | undefined {
  const error = isObject(body) ? body['error'] : undefined
  if (!isObject(error) || typeof error['type'] !== 'string' || typeof error['code'] !== 'string') return undefined
  const { type, code, message, requestId, retryable, docUrl, param, details } = error
  const retryAfterSec = readRetryAfter(response.headers.get('retry-after'))
  const Kind = (Object.hasOwn(errorClasses, type) && errorClasses[type]) || RequestError
  return new Kind(text(message) || code, {
    type,
    code,
    status: response.status,
    requestId: text(requestId) || headerId,
    retryable: retryable === true,
    docUrl: text(docUrl).startsWith('/') ? base + text(docUrl) : text(docUrl),
    ...(typeof param === 'string' && { param }),
    ...(isObject(details) && { details }),
    ...(retryAfterSec !== undefined && { retryAfterSec }),
  })
}

function parsed(parse: (text: string) => unknown, body: string): unknown {
  try {
    return parse(body)
  } catch {
    return undefined
  }
}

/** The request id is not enumerable, so JSON.stringify leaves it out. */
export function readAnswer(response: Response, body: string, reading: Reading): object {
  const requestId = requestIdOf(response, reading)
  if (response.status === 200) {
    const result = parsed(reading.parse, body)
    if (isResult(reading.shape, result)) return Object.defineProperty(result, 'requestId', { value: requestId })
  }
  const said = keyless(body, reading.key)
  const refusal = response.status >= 400 && refusalOf(parsed(JSON.parse, said), response, reading.base, requestId)
  throw refusal || unexpected(response, said, reading, requestId)
}
