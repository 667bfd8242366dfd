// What the platform's answers, and its silence, mean in words.
import type { Probed } from '../platform/probe.ts'

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name has no address',
  EAI_AGAIN: 'the name service of this machine does not answer',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut before an answer',
  UND_ERR_SOCKET: 'the connection was cut before an answer',
  EHOSTUNREACH: 'there is no way to it from here',
  ENETUNREACH: 'there is no way to it from here',
  UND_ERR_CONNECT_TIMEOUT: 'no connection came about in time',
  UND_ERR_HEADERS_TIMEOUT: 'it took the request and did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'its answer stopped in the middle',
  TimeoutError: 'no whole answer came in time',
  EMFILE: 'this process may open no more sockets',
}

/** why there is no document */
export function causeOf({ status, cause = '' }: Probed): string {
  const reason = reasons[cause]
  if (reason !== undefined) return `${reason} (${cause})`
  if (status !== undefined && !cause.includes('answered')) return `it answered ${status}${cause && `, and ${cause}`}`
  return cause
}

/** a refusal that the platform would have worded otherwise: a proxy's, a sign-in page's, another program's */
export const isForeign = ({ status, isOwn }: Probed): boolean =>
  status !== undefined && status >= 400 && status !== 429 && (status < 500 || status === 511) && !isOwn

/** of such a refusal */
export const foreignCause = ({ status }: Probed): string =>
  status === 407
    ? 'a proxy in between wants a sign-in: it answered 407'
    : `it answered ${status}, and not as the platform does`

/** milliseconds as people say them */
export function timeOf(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1_000)
  if (seconds < 120) return `${seconds} seconds`
  return seconds < 7_200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3_600)} hours`
}

/** whether the platform may well answer the same otherwise the next time: it refuses good tokens now and then */
export const isWhim = ({ status }: Probed): boolean => status === undefined || status === 401 || status >= 500
