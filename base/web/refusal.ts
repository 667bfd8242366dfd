// A problem as callers read it: status, header fields and the error body.
import { type AnyProblem, Problem } from '../core/problem.ts'
import { STATUS_CODES } from './node-http.ts'

export const standingHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const

export const jsonType = 'application/json; charset=utf-8'

export const bodyOf = (problem: AnyProblem, requestId: string): string =>
  JSON.stringify({ error: Problem.present(problem, requestId) })

const challengeOf = ({ realm, invalidToken }: AnyProblem['row']): string =>
  `Bearer${realm === undefined ? '' : ` realm="${realm}"`}${invalidToken ? ', error="invalid_token"' : ''}`

const allowOf = ({ extras: { details } }: AnyProblem): string =>
  ((details?.['allowed'] ?? ['GET', 'HEAD']) as string[]).join(', ')

export function headersOf(problem: AnyProblem): Record<string, string> {
  const { row, extras } = problem
  const { retryAfterSec = row.retryAfterSec } = extras
  return {
    ...(row.status === 401 && { 'www-authenticate': challengeOf(row) }),
    ...(row.status === 405 && { allow: allowOf(problem) }),
    ...(retryAfterSec !== undefined && { 'retry-after': String(retryAfterSec) }),
    ...(row.closes && { connection: 'close' }),
  }
}

export function rawAnswer(problem: AnyProblem, requestId: string): string {
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
