// A problem as the caller reads it: status, headers and the one error body, for every way an answer can be written.
import { randomBytes } from 'node:crypto'
import { errorOf, type Problem, type ProblemCode } from '../problem.ts'
import { STATUS_CODES } from './node-http.ts'

const idBytes = 12
/** random bytes for the ids to come: to ask for twelve costs as much as for a page of them */
let pool = Buffer.alloc(0)
let used = 0

export function makeRequestId(): string {
  if (used === pool.length) [pool, used] = [randomBytes(256 * idBytes), 0]
  const id = pool.toString('base64url', used, used + idBytes)
  used += idBytes
  return `req_${id}`
}

/** on every answer */
export const standingHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const

export const jsonType = 'application/json; charset=utf-8'

export const bodyOf = (problem: Problem, requestId: string): string =>
  JSON.stringify({ error: errorOf(problem, requestId) })

const closing = new Set([
  'bad_request',
  'request_timeout',
  'payload_too_large',
  'uri_too_long',
  'expectation_failed',
  'headers_too_large',
])

/** each door asks for a secret of its own */
function challengeOf(code: ProblemCode): string {
  const realm = /^(?:operator|session)_/.test(code) ? 'vitrine operator' : 'vitrine'
  return `Bearer realm="${realm}"${code.endsWith('_invalid') ? ', error="invalid_token"' : ''}`
}

/** the methods of this path where there are others than those that read */
const allowOf = ({ extras: { details } }: Problem): string =>
  ((details?.['allowed'] ?? ['GET', 'HEAD']) as string[]).join(', ')

export function headersOf(problem: Problem): Record<string, string> {
  const { code, row, extras } = problem
  return {
    ...(row.status === 401 && { 'www-authenticate': challengeOf(code) }),
    ...(row.status === 405 && { allow: allowOf(problem) }),
    ...(extras.retryAfterSec !== undefined && { 'retry-after': String(extras.retryAfterSec) }),
    ...(closing.has(row.type) && { connection: 'close' }),
  }
}

/** the whole answer as bytes, for a socket on which no request ever came to be */
export function rawAnswer(problem: Problem, requestId: string): string {
  const body = bodyOf(problem, requestId)
  const headers = {
    'content-type': jsonType,
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    ...standingHeaders,
    ...headersOf(problem),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${problem.row.status} ${STATUS_CODES[problem.row.status]}\r\n${lines.join('')}\r\n${body}`
}
