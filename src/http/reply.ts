// How an answer leaves: whole, or as the word that the caller has it already.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isMatch } from './conditional.ts'
import { jsonType } from './refusal.ts'

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
  readonly bytes: Buffer
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

const headersOf = ({ etag, status, ageSec, maxAgeSec }: Told) => ({
  etag,
  age: String(ageSec),
  vary: 'Authorization',
  'cache-control': `private, max-age=${maxAgeSec}`,
  'cache-status': `vitrine; ${status}`,
})

export function sendReply({ headers, seen }: FastifyRequest, reply: FastifyReply, { bytes, told }: Reply) {
  if (!told) return reply.type(jsonType).send(bytes)
  const isHis = isMatch(headers['if-none-match'], told.etag)
  seen.cache = told.hit ? 'hit' : isHis ? 'revalidated' : 'miss'
  void reply.headers(headersOf(told))
  return isHis ? reply.code(304).send() : reply.type(jsonType).send(bytes)
}
