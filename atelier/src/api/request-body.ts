// Reads the body of a request: its media type, its length, and, where it is JSON, its members.
import type { IncomingMessage } from 'node:http'
import type { JsonObject } from '../../../base/core/json.ts'
import { findFault, type JsonSchema, type SchemaFault } from '../../../base/core/schema.ts'
import { hasContent } from '../../../base/web/request-checks.ts'
import { invalid, Problem, refuse } from '../problems.ts'
import { sourceOf } from '../accounts/failure-limit.ts'
import type { ApiExchange } from './exchange.ts'
import { createHeldBytes, type Holding } from './held-bytes.ts'
import { ownTurn } from './own-turn.ts'
import { parseStrictJson } from './strict-json.ts'

/** a caller reads no answer while they send, so this much of a body that is too large is still read */
const mostPassedOver = 8 * 1024 * 1024
const stallMs = 10_000
const mostMs = 120_000
const mostSpareBytes = 1024 * 1024
const usualBytes = 64 * 1024
const held = createHeldBytes({ ofAccount: 64 * 1024 * 1024, ofAll: 128 * 1024 * 1024 })

/** the type without its parameters, in small letters; parameters other than UTF-8 count as another type */
export function mediaTypeOf({ headers }: IncomingMessage): string {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase())
  const isPlain = parameters.every((parameter) => /^charset="?utf-8"?$/.test(parameter))
  return isPlain || type === 'multipart/form-data' ? type : `${type};${parameters.join(';')}`
}

export function checkMediaType(req: IncomingMessage, accepted: readonly string[]) {
  const coding = req.headers['content-encoding'] ?? 'identity'
  if (accepted.includes(mediaTypeOf(req)) && coding.toLowerCase() === 'identity') return
  throw new Problem('unsupported_media_type', {
    message: `The content type must be ${accepted.join(' or ')}, without a content coding.`,
  })
}

const tooLarge = (limit: number): Problem => refuse('too_large', { limit })

/** counts for the account, or for the address of a caller without one */
const holdBody = ({ record, from }: ApiExchange): Holding => held.hold(record.accountId ?? sourceOf(from))

/** one buffer that grows: a body in chunks of one byte would be a million objects */
export class GrowingBuffer {
  #store: Buffer = Buffer.alloc(0)
  #length = 0
  readonly #mayGrow: (bytes: number) => boolean
  readonly #most: number

  constructor(mayGrow: (bytes: number) => boolean = () => true, most = Infinity) {
    this.#mayGrow = mayGrow
    this.#most = most
  }

  get bytes(): Buffer {
    return this.#store.subarray(0, this.#length)
  }

  /** false: it may not grow, and the part is not added */
  add(part: Buffer): boolean {
    const needed = this.#length + part.length
    if (needed > this.#store.length) {
      const wanted = Math.max(needed, Math.min(2 * this.#store.length, needed + mostSpareBytes, this.#most))
      if (!this.#mayGrow(wanted - this.#store.length)) return false
      const larger = Buffer.allocUnsafe(wanted)
      this.bytes.copy(larger)
      this.#store = larger
    }
    part.copy(this.#store, this.#length)
    this.#length = needed
    return true
  }
}

export async function collectBody(exchange: ApiExchange, limit: number): Promise<Buffer> {
  const { req } = exchange
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const holding = holdBody(exchange)
  // the body stays in memory as long as its request
  exchange.onClose(holding.free)
  const declared = Number(req.headers['content-length'] ?? limit)
  const content = new GrowingBuffer(holding.add, Math.min(declared, limit))
  let length = 0
  const give = () => reject(length > limit ? tooLarge(limit) : new Problem('request_timeout'))
  const late = [setTimeout(give, stallMs), setTimeout(give, mostMs)] as const
  const add = (part: Buffer) => {
    length += part.length
    late[0].refresh()
    if (length > limit + mostPassedOver) reject(tooLarge(limit))
    if (length > limit) return
    if (content.add(part)) return
    req.off('data', add).resume()
    reject(new Problem('no_capacity'))
  }
  req.on('data', add)
  req.once('end', () => (length > limit ? reject(tooLarge(limit)) : resolve(content.bytes)))
  for (const event of ['error', 'close']) req.once(event, () => reject(new Problem('malformed_request')))
  try {
    const bytes = await promise
    // many that end at once would be parsed in one go, for seconds
    if (bytes.length > usualBytes) await ownTurn()
    return bytes
  } finally {
    for (const one of late) clearTimeout(one)
  }
}

const listed = (words: readonly string[]): string => words.slice(0, 20).join(', ')

function problemOf({ rule, param, wanted, given, allowed }: SchemaFault, description: string | undefined): Problem {
  const inner = param === '' ? given : `${param}.${given}`
  if (rule === 'unknown') return invalid(inner.slice(0, 200), `is not known here; known: ${listed(allowed)}`)
  if (rule === 'missing') return invalid(inner, 'is required')
  const words = rule === 'enum' ? `must be one of ${listed(allowed)}` : wanted
  if (param === '') return invalid('', `the body ${words}`)
  return invalid(param.slice(0, 200), description && rule === 'form' ? `${words}: ${description}` : words)
}

/** the description of the top member, which says the form in words */
const descriptionOf = (schema: JsonSchema, param: string): string | undefined => {
  const [name = ''] = param.split(/[.[]/, 1)
  const described = schema.properties?.[name] as { readonly description?: string } | undefined
  return described?.description?.replaceAll('`', '').replace(/\.$/, '')
}

export function checkMembers(schema: JsonSchema, value: JsonObject) {
  const fault = findFault(schema, value)
  if (fault) throw problemOf(fault, descriptionOf(schema, fault.param))
}

export async function readJsonBody(exchange: ApiExchange, schema: JsonSchema, limit: number): Promise<JsonObject> {
  checkMediaType(exchange.req, ['application/json'])
  const value = parseStrictJson(await collectBody(exchange, limit))
  checkMembers(schema, value)
  return value
}

export function refuseBody(req: IncomingMessage) {
  if (hasContent(req)) throw invalid('', 'this request takes no body')
}
