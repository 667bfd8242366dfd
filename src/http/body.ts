// Reads the one JSON object of a request, within bounds of size and time. Nothing of it goes into a message: it may hold
// a private key, and so may what JSON.parse says of it.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Problem } from '../problem.ts'
import { hasContent } from './framing.ts'

export type Body = Readonly<Record<string, unknown>>

const usualBytes = 64 * 1024
/** of a body that is too large, so much is still taken in: a caller who writes cannot hear yet */
const mostPassedOver = 1024 * 1024
const patienceMs = 5_000

export const malformed = (message: string): Problem => new Problem('malformed_body', { message })

const late = (): Problem =>
  new Problem('request_timeout', { message: `The body did not arrive within ${patienceMs / 1_000} seconds.` })

const tooLarge = (mostBytes: number): Problem =>
  new Problem('payload_too_large', { message: `The body is larger than ${mostBytes} bytes.` })

/** who reads from this socket, and is told when nothing whole can come any more */
const readers = new WeakMap<Duplex, (problem: Problem) => unknown>()
/** sockets on which that was known before anyone read */
const broken = new WeakMap<Duplex, Problem>()

/** bytes that are no content, or none in time: the server hears of it, the request does not */
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
  // what is broken behind a whole body is the next request
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
  // gone before he had said all: nobody hears the answer
  for (const event of ['error', 'close']) req.once(event, () => reject(new Problem('malformed_request')))
  return promise.finally(() => {
    clearTimeout(patience)
    // the next request on the socket may be reading already
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
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw malformed('The body is not a JSON object.')
  return parsed as Body
}

export const wrongType = 'The content type must be application/json.'

const isJson = (type: string | undefined): boolean =>
  /^application\/json *(; *charset *= *"?utf-8"? *)?$/i.test(type?.trim() ?? '')

/** the object that was sent; an empty one where nothing was sent and `mayBeAbsent` */
export async function readBody(req: IncomingMessage, mayBeAbsent: boolean, mostBytes = usualBytes): Promise<Body> {
  if (!hasContent(req) && mayBeAbsent) return {}
  if (!hasContent(req)) throw malformed('The body is missing: it is one JSON object.')
  if (!isJson(req.headers['content-type'])) throw malformed(wrongType)
  if (req.headers['content-encoding'] !== undefined) throw malformed('The body must not be encoded.')
  return parse(await collect(req, mostBytes))
}
