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
const [cr, lf] = [13, 10]

export function encodeCommand(values: readonly RedisValue[]): Buffer | string {
  const sized = (value: RedisValue) => `$${Buffer.byteLength(String(value))}\r\n${String(value)}\r\n`
  const head = `*${values.length}\r\n`
  if (!values.some((value) => Buffer.isBuffer(value))) return head + values.map(sized).join('')
  const parts = values.flatMap((value) =>
    Buffer.isBuffer(value)
      ? [Buffer.from(`$${value.length}\r\n`), value, Buffer.from('\r\n')]
      : [Buffer.from(sized(value))],
  )
  return Buffer.concat([Buffer.from(head), ...parts])
}

interface OpenList {
  readonly items: Reply[]
  left: number
}

const invalid = (): Error =>
  Object.assign(new Error('its answer is not of the Redis protocol'), { code: 'invalid_reply' })
const tooLarge = (): Error => Object.assign(new Error('its answer is too large'), { code: 'reply_too_large' })

function countOf(line: Buffer): number {
  const text = line.toString('latin1', 1)
  if (!/^-?\d{1,19}$/.test(text)) throw invalid()
  return Number(text)
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

  /** throws if this is no RESP, or too large */
  write(piece: Buffer) {
    this.#parts.push(piece)
    this.#buffered += piece.length
    this.#bytes += piece.length
    if (this.#bytes > mostBytes) throw tooLarge()
    if (this.#buffered < this.#needed) return
    let rest = this.#parts.length === 1 ? piece : Buffer.concat(this.#parts)
    for (let used = this.#read(rest); used > 0; used = this.#read(rest)) rest = rest.subarray(used)
    this.#parts = rest.length > 0 ? [rest] : []
    this.#buffered = rest.length
  }

  /** bytes of the next element; 0: incomplete */
  #read(rest: Buffer): number {
    if (this.#textBytes !== undefined) return this.#readText(rest, this.#textBytes)
    const end = rest.indexOf(lf)
    if (end < 0 || end > longestLine) {
      if (rest.length > longestLine) throw tooLarge()
      this.#needed = rest.length + 1
      return 0
    }
    if (rest[end - 1] !== cr) throw invalid()
    this.#readLine(rest.subarray(0, end - 1))
    return end + 1
  }

  #readText(rest: Buffer, length: number): number {
    this.#needed = length + 2
    if (rest.length < length + 2) return 0
    this.#textBytes = undefined
    // a copy, so that a small value does not keep a large chunk in memory
    this.#add(Buffer.from(rest.subarray(0, length)))
    return length + 2
  }

  #readLine(line: Buffer) {
    const kind = String.fromCharCode(line[0] ?? 0)
    if (kind === '+') return this.#add(Buffer.from(line.subarray(1)))
    if (kind === '-') return this.#add(new ReplyError(line.toString('utf8', 1)))
    const count = countOf(line)
    if (kind === ':') return this.#add(count)
    if (kind !== '$' && kind !== '*') throw invalid()
    if (count < 0) return this.#add(null)
    if (kind === '$') return void (this.#textBytes = count)
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
