// Explains the platform's answers, and missing ones, in words.
import { explainProxy } from '../platform/proxy/proxy-error.ts'
import type { Probed } from '../platform/call/probe.ts'

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name has no address',
  EAI_AGAIN: 'the name service of this machine does not answer',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut before an answer',
  UND_ERR_SOCKET: 'the connection was cut before an answer',
  EHOSTUNREACH: 'there is no route to it from this machine',
  ENETUNREACH: 'there is no route to it from this machine',
  UND_ERR_CONNECT_TIMEOUT: 'the connection was not established in time',
  UND_ERR_HEADERS_TIMEOUT: 'it accepted the request and did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'its answer stopped in the middle',
  TimeoutError: 'no complete answer came in time',
  EMFILE: 'this process may open no more sockets',
}

export function explainFailure({ status, cause = '' }: Probed): string {
  const proxy = explainProxy(cause)
  if (proxy) return proxy.says
  const reason = reasons[cause]
  if (reason !== undefined) return `${reason} (${cause})`
  if (status !== undefined && !cause.includes('answered')) return `it answered ${status}${cause && `, and ${cause}`}`
  return cause
}

/** True for a refusal that is not in the platform's form: from a proxy, a sign-in page, another program. */
export const isForeign = ({ status, isOwn }: Probed): boolean =>
  status !== undefined && status >= 400 && status !== 429 && (status < 500 || status === 511) && !isOwn

export const explainForeign = ({ status }: Probed): string =>
  status === 407
    ? 'a proxy in between requires a sign-in: it answered 407'
    : `it answered ${status}, and not in the platform's form`

export function durationWords(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1_000)
  if (seconds < 120) return `${seconds} seconds`
  return seconds < 7_200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3_600)} hours`
}

/** True if a second try may succeed: the platform refuses valid tokens now and then. */
export const isTransient = ({ status }: Probed): boolean => status === undefined || status === 401 || status >= 500
