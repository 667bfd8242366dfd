// Reads the JSON object of a request, bounded in size and time. No message quotes it, nor what JSON.parse says of it: it may
// hold a private key.
import { isJsonObject } from '../core/json.ts'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Problem } from '../core/problem.ts'
import { hasContent } from './request-checks.ts'

export type Body = Readonly<Record<string, unknown>>

const usualBytes = 64 * 1024
/** of a body that is too large, this much is still read: a caller reads no answer while they send */
const mostPassedOver = 1024 * 1024
const patienceMs = 5_000

export const malformed = (message: string): Problem => new Problem('malformed_body', { message })

const late = (): Problem =>
  new Problem('request_timeout', { message: `The body did not arrive within ${patienceMs / 1_000} seconds.` })

const tooLarge = (mostBytes: number): Problem =>
  new Problem('payload_too_large', { message: `The body is larger than ${mostBytes} bytes.` })

/** by socket: rejects the body that is being read */
const readers = new WeakMap<Duplex, (problem: Problem) => unknown>()
const broken = new WeakMap<Duplex, Problem>()

/** Node reports broken or late content to the server, not to the request */
export function breakOff(socket: Duplex, error: Error) {
  const { code } = error as NodeJS.ErrnoException
  const problem = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? late() : new Problem('malformed_request')
  broken.set(socket, problem)
  readers.get(socket)?.(problem)
}

function collect(req: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const parts: Buffer[] = []
  let length = 0
  const patience = setTimeout(() => reject(length > mostBytes ? tooLarge(mostBytes) : late()), patienceMs)
  const give = (problem: Problem) => req.complete || reject(problem)
  readers.set(req.socket, give)
  const before = broken.get(req.socket)
  if (before) give(before)
  req.on('data', (part: Buffer) => {
    length += part.length
    if (length <= mostBytes) parts.push(part)
    else if (length > mostPassedOver) reject(tooLarge(mostBytes))
  })
  req.once('end', () => (length > mostBytes ? reject(tooLarge(mostBytes)) : resolve(Buffer.concat(parts))))
  for (const event of ['error', 'close']) req.once(event, () => reject(new Problem('malformed_request')))
  return promise.finally(() => {
    clearTimeout(patience)
    // unless the next request on this socket reads already
    if (readers.get(req.socket) === give) readers.delete(req.socket)
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parse(bytes: Buffer): Body {
  let parsed: unknown
  let hasProto = false
  try {
    parsed = JSON.parse(utf8.decode(bytes), (name, value: unknown) => {
      if (name === '__proto__') hasProto = true
      return value
    })
  } catch {
    throw malformed('The body is not JSON in UTF-8.')
  } finally {
    bytes.fill(0)
  }
  if (hasProto) throw malformed('The body has a member "__proto__".')
  if (!isJsonObject(parsed)) throw malformed('The body is not a JSON object.')
  return parsed
}

const isJson = (type: string | undefined): boolean =>
  /^application\/json *(; *charset *= *"?utf-8"? *)?$/i.test(type?.trim() ?? '')

export async function readBody(req: IncomingMessage, mayBeAbsent: boolean, mostBytes = usualBytes): Promise<Body> {
  if (!hasContent(req) && mayBeAbsent) return {}
  if (!hasContent(req)) throw malformed('The body is missing: it is one JSON object.')
  if (!isJson(req.headers['content-type'])) throw malformed('The content type must be application/json.')
  if (req.headers['content-encoding'] !== undefined) throw malformed('The body must not be encoded.')
  return parse(await collect(req, mostBytes))
}
