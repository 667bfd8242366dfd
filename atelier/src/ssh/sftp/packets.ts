// Packets of SFTP version 3 (draft-ietf-secsh-filexfer-02): what a client sends is taken apart, and answers are put together.
// Bytes of names stay bytes. Not by the library, whose parser takes what is sent at any pace, and announces no extension.
import type { Readable } from 'node:stream'

export const mostPacketBytes = 262_144

export const requests = {
  1: 'init',
  3: 'open',
  4: 'close',
  5: 'read',
  6: 'write',
  7: 'lstat',
  8: 'fstat',
  9: 'setstat',
  10: 'fsetstat',
  11: 'opendir',
  12: 'readdir',
  13: 'remove',
  14: 'mkdir',
  15: 'rmdir',
  16: 'realpath',
  17: 'stat',
  18: 'rename',
  19: 'readlink',
  20: 'symlink',
  200: 'extended',
} as const

export type RequestName = (typeof requests)[keyof typeof requests]

export const answerTypes = { version: 2, status: 101, handle: 102, data: 103, name: 104, attrs: 105, extended: 201 }

/** the client does not speak SFTP: its channel ends */
export class MalformedPacket extends Error {}

export class Fields {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isEmpty(): boolean {
    return this.#at >= this.#bytes.length
  }

  #take(length: number): Buffer {
    const end = this.#at + length
    if (end > this.#bytes.length) throw new MalformedPacket('a packet is shorter than what it holds')
    const part = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return part
  }

  byte(): number {
    return this.#take(1).readUInt8()
  }

  number(): number {
    return this.#take(4).readUInt32BE()
  }

  /** beyond 2^53 it is not exact, and beyond every limit */
  long(): number {
    return Number(this.#take(8).readBigUInt64BE())
  }

  string(): Buffer {
    return this.#take(this.number())
  }
}

export function numberOf(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export function longOf(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

export function stringOf(value: Buffer | string): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value
  return Buffer.concat([numberOf(bytes.length), bytes])
}

export function packetOf(type: number, parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 1)
  return Buffer.concat([numberOf(length), Buffer.of(type), ...parts])
}

/** The packets of a channel, one after another. No more is taken from it than the packet at hand needs. */
export class PacketSource {
  readonly #channel: Readable
  #rest: Buffer = Buffer.alloc(0)
  #isClosed = false
  #wake: (() => void) | undefined

  constructor(channel: Readable) {
    this.#channel = channel
    channel.once('close', () => this.close())
  }

  /** nothing more is taken */
  close() {
    this.#isClosed = true
    this.#wake?.()
  }

  /** undefined: the client has ended, or was cut off */
  async next(): Promise<Buffer | undefined> {
    for (;;) {
      const packet = this.#isClosed ? undefined : this.peek()
      if (packet) {
        this.skip(packet)
        return packet
      }
      if (this.#isClosed || this.#channel.readableEnded) return undefined
      await this.#arrival()
    }
  }

  /** the next packet without its length, if all of it has arrived */
  peek(): Buffer | undefined {
    for (;;) {
      if (this.#rest.length >= 4) {
        const length = this.#rest.readUInt32BE()
        if (length === 0 || length > mostPacketBytes) throw new MalformedPacket(`a packet of ${length} bytes`)
        if (this.#rest.length >= 4 + length) return this.#rest.subarray(4, 4 + length)
      }
      const piece = this.#channel.read() as Buffer | null
      if (piece === null) return undefined
      this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, piece]) : piece
    }
  }

  skip(packet: Buffer) {
    this.#rest = this.#rest.subarray(4 + packet.length)
  }

  #arrival(): Promise<void> {
    const channel = this.#channel
    const names = ['readable', 'end'] as const
    return new Promise((resolve) => {
      const arrived = () => {
        for (const name of names) channel.off(name, arrived)
        resolve()
      }
      for (const name of names) channel.on(name, arrived)
      this.#wake = arrived
    })
  }
}
