// The name of the server in the first message of TLS, which a program sends in the clear. Read from bytes that nobody vouches for.

const handshakeRecord = 22
const clientHello = 1
const serverNameExtension = 0
const hostNameType = 0
/** of all records of the message: with keys of many kinds it has a few KiB */
const mostBytes = 32_768
/** one or two are usual; very many small ones would be joined again for each piece that comes */
const mostRecords = 32

export type HelloFound = { readonly name: string | undefined } | 'incomplete' | 'invalid'

/** Throws a RangeError where the bytes end too soon. */
class Bytes {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get left() {
    return this.#bytes.length - this.#at
  }

  number(size: 1 | 2 | 3): number {
    const value = this.#bytes.readUIntBE(this.#at, size)
    this.#at += size
    return value
  }

  take(size: number): Buffer {
    if (size > this.left) throw new RangeError('it ends too soon')
    this.#at += size
    return this.#bytes.subarray(this.#at - size, this.#at)
  }

  /** with its length before it */
  list(size: 1 | 2 | 3): Bytes {
    return new Bytes(this.take(this.number(size)))
  }
}

/** the payloads of the records, joined; undefined: another kind of record stands among them, or they are too many */
function messageOf(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = []
  for (let at = 0; at + 5 <= bytes.length;) {
    const length = bytes.readUInt16BE(at + 3)
    if (bytes[at] !== handshakeRecord || bytes[at + 1] !== 3 || length === 0 || length > 16_384) return undefined
    if (parts.length === mostRecords) return undefined
    parts.push(bytes.subarray(at + 5, at + 5 + length))
    at += 5 + length
  }
  return Buffer.concat(parts)
}

function nameIn(hello: Bytes): string | undefined {
  hello.take(2 + 32)
  hello.list(1)
  hello.list(2)
  hello.list(1)
  const names: string[] = []
  for (const extensions = hello.left > 0 ? hello.list(2) : hello; extensions.left > 0;) {
    const type = extensions.number(2)
    const value = extensions.list(2)
    if (type !== serverNameExtension) continue
    const entries = value.list(2)
    while (entries.left > 0) {
      if (entries.number(1) !== hostNameType) throw new RangeError('another kind of name')
      names.push(entries.take(entries.number(2)).toString('latin1'))
    }
  }
  if (names.length > 1) throw new RangeError('several names')
  return names[0]?.toLowerCase()
}

/** what came so far of a connection */
export function readClientHello(bytes: Buffer): HelloFound {
  if (bytes.length > 0 && bytes[0] !== handshakeRecord) return 'invalid'
  const message = messageOf(bytes)
  if (!message) return 'invalid'
  if (message.length > 0 && message[0] !== clientHello) return 'invalid'
  const length = message.length < 4 ? Infinity : 4 + message.readUIntBE(1, 3)
  if (length !== Infinity && length > mostBytes) return 'invalid'
  if (message.length < length) return bytes.length > 2 * mostBytes ? 'invalid' : 'incomplete'
  try {
    return { name: nameIn(new Bytes(message.subarray(4, length))) }
  } catch (error) {
    if (error instanceof RangeError) return 'invalid'
    throw error
  }
}
