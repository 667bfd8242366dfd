// The frames that the service and a resident exchange: `u8 type, u32 command, u32 length, payload`, big endian. Nothing that a
// resident sends is trusted: a frame that breaks the rules ends the connection.

export const protocolVersion = 1

/** to the resident */
export const request = {
  hello: 1,
  start: 2,
  input: 3,
  inputEnd: 4,
  credit: 5,
  resize: 6,
  kill: 7,
  startMore: 12,
} as const

/** from the resident */
export const reply = {
  hello: 65,
  started: 66,
  failed: 67,
  output: 68,
  inputCredit: 69,
  exit: 70,
  killed: 71,
} as const

export const streamNumber = { stdout: 1, stderr: 2 } as const
export const largestPayload = 65_536
const headerBytes = 9
const nonceBytes = 16
const mostKept = 1_024
/** more than an earlier connection can have left */
const mostBeforeHello = 64 * 1024 * 1024

/** the resident sent what it may not */
export class ResidentFault extends Error {
  override readonly name = 'ResidentFault'
}

export function frame(type: number, command: number, ...payload: readonly Uint8Array[]): Buffer {
  const header = Buffer.allocUnsafe(headerBytes)
  const length = payload.reduce((sum, part) => sum + part.length, 0)
  header.writeUInt8(type, 0)
  header.writeUInt32BE(command, 1)
  header.writeUInt32BE(length, 5)
  return Buffer.concat([header, ...payload])
}

export function number32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export function number16(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([number32(bytes.length), bytes])
}

/** ends whatever frame an earlier connection was in the middle of */
export const helloFrames = (nonce: Uint8Array): Buffer =>
  Buffer.concat([Buffer.alloc(largestPayload + 16), frame(request.hello, 0, nonce, Buffer.from([protocolVersion]))])

export interface StartWish {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly workingDir: string
  readonly hasInput: boolean
  readonly tty?: { readonly columns: number; readonly rows: number } | undefined
  /** it outlives the connection */
  readonly isKept: boolean
  readonly credit: number
}

export function startFrames(command: number, wish: StartWish): Buffer {
  const { argv, env, workingDir, hasInput, tty, isKept, credit } = wish
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const payload = Buffer.concat([
    Buffer.from([(hasInput ? 1 : 0) | (tty ? 2 : 0) | (isKept ? 4 : 0)]),
    number16(tty?.columns ?? 0),
    number16(tty?.rows ?? 0),
    number32(credit),
    text(workingDir),
    number16(argv.length),
    ...argv.map(text),
    number16(variables.length),
    ...variables.map(text),
  ])
  const parts: Buffer[] = []
  let at = 0
  for (; payload.length - at > largestPayload; at += largestPayload)
    parts.push(frame(request.startMore, command, payload.subarray(at, at + largestPayload)))
  return Buffer.concat([...parts, frame(request.start, command, payload.subarray(at))])
}

export interface Hello {
  readonly version: number
  readonly isFirst: boolean
  /** commands of an earlier connection that go on */
  readonly kept: readonly number[]
}

/** Drops all that comes before the answer to this connection's greeting: an earlier one may have left it. */
export class HelloReader {
  readonly #nonce: Buffer
  #held: Buffer = Buffer.alloc(0)
  #left = mostBeforeHello

  constructor(nonce: Buffer) {
    this.#nonce = nonce
  }

  /** `rest` follows the answer */
  take(piece: Buffer): { readonly hello: Hello; readonly rest: Buffer } | undefined {
    const held = Buffer.concat([this.#held, piece])
    this.#left -= piece.length
    if (this.#left < 0) throw new ResidentFault('no greeting')
    const at = held.indexOf(this.#nonce) - headerBytes
    if (at < 0) {
      this.#held = held.subarray(Math.max(0, held.length - headerBytes - nonceBytes + 1))
      return undefined
    }
    const length = held[at] === reply.hello && held.length > at + headerBytes ? held.readUInt32BE(at + 5) : 0
    if (length < nonceBytes + 6 || length > nonceBytes + 6 + 4 * mostKept) throw new ResidentFault('a greeting')
    const end = at + headerBytes + length
    this.#held = held.subarray(at)
    if (held.length < end) return undefined
    const body = held.subarray(at + headerBytes + nonceBytes, end)
    const count = body.readUInt32BE(2)
    if (body.length !== 6 + 4 * count) throw new ResidentFault('a greeting')
    const kept = Array.from({ length: count }, (_, n) => body.readUInt32BE(6 + 4 * n))
    return { hello: { version: body[0] ?? 0, isFirst: body[1] === 1, kept }, rest: held.subarray(end) }
  }
}

export interface FrameSink {
  /** of a frame of output, as far as it has come */
  output(command: number, stream: 'stdout' | 'stderr', data: Buffer): void
  frame(type: number, command: number, payload: Buffer): void
  /** bytes that say nothing */
  padding(bytes: number): void
}

/** of the frames with a short payload */
const lengths: Readonly<Record<number, number>> = {
  [reply.started]: 4,
  [reply.failed]: 5,
  [reply.inputCredit]: 4,
  [reply.exit]: 4,
  [reply.killed]: 0,
}

/** Takes the pieces as they come, wherever they are cut; output is passed on without waiting for whole frames. */
export class FrameReader {
  readonly #sink: FrameSink
  /** a header, and the payload of a short frame or the stream of output */
  readonly #short = Buffer.alloc(headerBytes + 5)
  #fill = 0
  #output: { readonly command: number; readonly stream: 'stdout' | 'stderr'; left: number } | undefined

  constructor(sink: FrameSink) {
    this.#sink = sink
  }

  read(piece: Buffer) {
    for (let at = 0; at < piece.length;) at += this.#output ? this.#readOutput(piece, at) : this.#readShort(piece, at)
  }

  #readOutput(piece: Buffer, at: number): number {
    const output = this.#output!
    const data = piece.subarray(at, at + output.left)
    output.left -= data.length
    if (output.left === 0) this.#output = undefined
    this.#sink.output(output.command, output.stream, data)
    return data.length
  }

  /** the bytes that it used */
  #readShort(piece: Buffer, at: number): number {
    if (this.#fill === 0 && piece[at] === 0) {
      let end = at + 1
      while (piece[end] === 0) end += 1
      this.#sink.padding(end - at)
      return end - at
    }
    const wanted = this.#fill < headerBytes ? headerBytes : headerBytes + this.#payloadBytes()
    const used = piece.copy(this.#short, this.#fill, at, at + wanted - this.#fill)
    this.#fill += used
    if (this.#fill >= headerBytes && this.#fill === headerBytes + this.#payloadBytes()) this.#finishShort()
    return used
  }

  /** how much of the payload is gathered */
  #payloadBytes(): number {
    const type = this.#short[0] ?? 0
    const length = this.#short.readUInt32BE(5)
    if (type === reply.output && length > 1 && length <= largestPayload) return 1
    if (length !== lengths[type]) throw new ResidentFault(`a frame of type ${type} and ${length} bytes`)
    return length
  }

  #finishShort() {
    this.#fill = 0
    const [type = 0] = this.#short
    const command = this.#short.readUInt32BE(1)
    const length = this.#short.readUInt32BE(5)
    if (type !== reply.output)
      return this.#sink.frame(type, command, this.#short.subarray(headerBytes, headerBytes + length))
    const stream = this.#short[headerBytes]
    if (stream !== 1 && stream !== 2) throw new ResidentFault('output of an unknown stream')
    this.#output = { command, stream: stream === 1 ? 'stdout' : 'stderr', left: length - 1 }
  }
}
