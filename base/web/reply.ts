// Sends an answer whole, or as 304 if the caller has it already.
import { isMatch } from './conditional.ts'
import type { Exchange } from './exchange.ts'

export interface Freshness {
  readonly etag: string
  readonly hit: boolean
  readonly status: string
  readonly ageSec: number
  readonly maxAgeSec: number
}

export interface Reply {
  /** once: an answer that is not cached is let go with it */
  take(): string | Buffer
  readonly told?: Freshness
}

/** in memory of its own: a cached slice would keep the whole pool */
export function toBytes(...pieces: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0))
  let at = 0
  for (const piece of pieces) at += bytes.write(piece, at)
  return bytes
}

/** longer texts wait for slow callers outside of the heap */
const longestText = 65_536

export function asSent(...pieces: readonly string[]): string | Buffer {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return length > longestText ? toBytes(...pieces) : pieces.join('')
}

const keptFields = (name: string, { etag, status, ageSec, maxAgeSec }: Freshness): string[] => [
  'etag',
  etag,
  'age',
  String(ageSec),
  'vary',
  'Authorization',
  'cache-control',
  `private, max-age=${maxAgeSec}`,
  'cache-status',
  `${name}; ${status}`,
]

export function sendReply(exchange: Exchange, reply: Reply, name: string) {
  const { told } = reply
  const body = reply.take()
  if (!told) return exchange.send(200, body)
  const isHis = isMatch(exchange.req.headers['if-none-match'], told.etag)
  exchange.record.cache = told.hit ? 'hit' : isHis ? 'revalidated' : 'miss'
  return exchange.send(isHis ? 304 : 200, body, keptFields(name, told))
}
