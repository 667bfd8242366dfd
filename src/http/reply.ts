// How an answer leaves: whole, or as the word that the caller has it already.
import { isMatch } from './conditional.ts'
import type { Exchange } from './exchange.ts'

/** what is said of an answer that others are given too */
export interface Told {
  readonly etag: string
  /** whether it was remembered */
  readonly hit: boolean
  /** for Cache-Status, RFC 9211 */
  readonly status: string
  readonly ageSec: number
  readonly maxAgeSec: number
}

export interface Reply {
  readonly body: string | Buffer
  /** undefined where nothing is remembered */
  readonly told?: Told
}

/** in memory of its own: a part of a pool, kept for long, would keep all of the pool */
export function render(body: unknown): Buffer {
  const text = JSON.stringify(body)
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/** longer ones wait for slow callers outside of the heap, whose end would be the end of the process */
const longestText = 65_536

/** of an answer that is sent and forgotten: a text leaves as it is, and needs no memory beside the heap */
export const asSent = (text: string): string | Buffer => (text.length > longestText ? Buffer.from(text) : text)

export const renderOnce = (body: unknown): string | Buffer => asSent(JSON.stringify(body))

const keptFields = ({ etag, status, ageSec, maxAgeSec }: Told): string[] => [
  ...['etag', etag, 'age', String(ageSec), 'vary', 'Authorization'],
  ...['cache-control', `private, max-age=${maxAgeSec}`, 'cache-status', `vitrine; ${status}`],
]

export function sendReply(exchange: Exchange, { body, told }: Reply) {
  if (!told) return exchange.send(200, body)
  const isHis = isMatch(exchange.req.headers['if-none-match'], told.etag)
  exchange.seen.cache = told.hit ? 'hit' : isHis ? 'revalidated' : 'miss'
  return exchange.send(isHis ? 304 : 200, body, keptFields(told))
}
