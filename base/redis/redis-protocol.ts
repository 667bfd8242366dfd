// The protocol of Redis (RESP 2): encodes commands, and parses replies within bounds.

export type RedisValue = string | number | Buffer
export type Reply = Buffer | number | null | ReplyError | readonly Reply[]

export class ReplyError extends Error {
  override name = 'ReplyError'
}

/** of one reply: several times the largest value that is stored */
const mostBytes = 16 * 1024 * 1024
const longestLine = 64 * 1024
const mostNested = 8
/** what an element costs besides its bytes: an error, with its stack, costs most */
const [elementBytes, errorBytes] = [64, 1_024]
const [cr, lf, zero] = [13, 10, 48]
const [plus, minus, colon, dollar, asterisk] = [43, 45, 58, 36, 42]
const mostDigits = 19

const sized = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`
const bytesOf = (value: RedisValue): Buffer =>
  Buffer.isBuffer(value)
    ? Buffer.concat([Buffer.from(`$${value.length}\r\n`), value, Buffer.from('\r\n')])
    : Buffer.from(sized(String(value)))

export function encodeCommand(values: readonly RedisValue[]): Buffer | string {
  const head = `*${values.length}\r\n`
  let text = head
  for (const value of values) {
    if (typeof value === 'object') return Buffer.concat([Buffer.from(head), ...values.map(bytesOf)])
    text += sized(String(value))
  }
  return text
}

interface OpenList {
  readonly items: Reply[]
  left: number
}

const invalid = (): Error =>
  Object.assign(new Error('its answer is not of the Redis protocol'), { code: 'invalid_reply' })
const tooLarge = (): Error => Object.assign(new Error('its answer is too large'), { code: 'reply_too_large' })

/** An integer, digit by digit: by way of a string and a pattern it takes several times as long. It is exact below 2^53. */
function countIn(bytes: Buffer, from: number, end: number): number {
  const isNegative = bytes[from] === minus
  const first = isNegative ? from + 1 : from
  if (end === first || end - first > mostDigits) throw invalid()
  let count = 0
  for (let at = first; at < end; at++) {
    const digit = (bytes[at] ?? 0) - zero
    if (digit < 0 || digit > 9) throw invalid()
    count = count * 10 + digit
  }
  return isNegative ? -count : count
}

export class ReplyParser {
  readonly #onReply: (reply: Reply) => void
  readonly #lists: OpenList[] = []
  #parts: Buffer[] = []
  #buffered = 0
  #needed = 1
  #textBytes: number | undefined
  #bytes = 0

  constructor(onReply: (reply: Reply) => void) {
    this.#onReply = onReply
  }

  /** Throws if this is no RESP, or too large. Nothing refers to the piece afterwards. */
  write(piece: Buffer) {
    this.#buffered += piece.length
    this.#bytes += piece.length
    if (this.#bytes > mostBytes) throw tooLarge()
    if (this.#buffered < this.#needed) {
      this.#parts.push(Buffer.from(piece))
      return
    }
    const bytes = this.#parts.length === 0 ? piece : Buffer.concat([...this.#parts, piece])
    let at = 0
    for (let end = this.#read(bytes, at); end > at; end = this.#read(bytes, at)) at = end
    this.#buffered = bytes.length - at
    this.#parts = this.#buffered > 0 ? [Buffer.from(bytes.subarray(at))] : []
  }

  /** where the element at `at` ends; `at` if it is incomplete */
  #read(bytes: Buffer, at: number): number {
    if (this.#textBytes !== undefined) return this.#readText(bytes, at, this.#textBytes)
    const end = bytes.indexOf(lf, at)
    if (end < 0 || end - at > longestLine) {
      if (bytes.length - at > longestLine) throw tooLarge()
      this.#needed = bytes.length - at + 1
      return at
    }
    if (bytes[end - 1] !== cr || end === at) throw invalid()
    this.#readLine(bytes, at, end - 1)
    return end + 1
  }

  #readText(bytes: Buffer, at: number, length: number): number {
    this.#needed = length + 2
    if (bytes.length - at < length + 2) return at
    this.#textBytes = undefined
    // a copy, so that a small value does not keep a large chunk in memory
    this.#add(Buffer.from(bytes.subarray(at, at + length)))
    return at + length + 2
  }

  #readLine(bytes: Buffer, at: number, end: number) {
    const kind = bytes[at]
    if (kind === plus) return this.#add(Buffer.from(bytes.subarray(at + 1, end)))
    if (kind === minus) return this.#add(new ReplyError(bytes.toString('utf8', at + 1, end)))
    const count = countIn(bytes, at + 1, end)
    if (kind === colon) return this.#add(count)
    if (kind !== dollar && kind !== asterisk) throw invalid()
    if (count < 0) return this.#add(null)
    if (kind === dollar) return void (this.#textBytes = count)
    if (count === 0) return this.#add([])
    if (this.#lists.push({ items: [], left: count }) > mostNested) throw tooLarge()
    return undefined
  }

  #add(reply: Reply): void {
    const list = this.#lists.at(-1)
    if (!list) {
      this.#bytes = 0
      return this.#onReply(reply)
    }
    this.#bytes += reply instanceof ReplyError ? errorBytes : elementBytes
    if (this.#bytes > mostBytes) throw tooLarge()
    list.items.push(reply)
    if (--list.left > 0) return undefined
    this.#lists.pop()
    return this.#add(list.items)
  }
}

export function textOf(reply: Reply): unknown {
  if (Buffer.isBuffer(reply)) return reply.toString()
  return Array.isArray(reply) ? reply.map(textOf) : reply
}
