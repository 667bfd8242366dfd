// The frames that the service and a relay exchange: `u8 type, u32 channel, u32 length, payload`, big endian. Nothing that a relay
// sends is trusted: a frame that breaks the rules ends the connection to it.

/** to the relay */
export const request = { listen: 1, data: 2, end: 3, close: 4, credit: 5, file: 6 } as const

/** from the relay */
export const reply = {
  data: 2,
  end: 3,
  close: 4,
  credit: 5,
  listening: 65,
  failed: 66,
  open: 67,
  fileWritten: 72,
} as const

/** bytes of each direction of a channel that may wait at the other side: the first credit of both */
export const windowBytes = 65_536
export const mostChannels = 64
const headerBytes = 9
const largestPayload = 65_536
/** of what is sent: so a channel does not hold up the others for long */
export const largestPart = 16_384

/** the relay sent what it may not */
export class RelayFault extends Error {
  override readonly name = 'RelayFault'
}

export function frame(type: number, channel: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const header = Buffer.allocUnsafe(headerBytes)
  header.writeUInt8(type, 0)
  header.writeUInt32BE(channel, 1)
  header.writeUInt32BE(payload.length, 5)
  return Buffer.concat([header, payload])
}

export function numberFrame(type: number, channel: number, value: number): Buffer {
  const payload = Buffer.allocUnsafe(4)
  payload.writeUInt32BE(value)
  return frame(type, channel, payload)
}

/** of the frames with a payload of a fixed size */
const lengths: Readonly<Record<number, number>> = {
  [reply.end]: 0,
  [reply.close]: 0,
  [reply.credit]: 4,
  [reply.listening]: 0,
  [reply.failed]: 4,
  [reply.open]: 0,
  [reply.fileWritten]: 4,
}

export interface RelayFrame {
  readonly type: number
  readonly channel: number
  readonly payload: Buffer
}

/** Takes the pieces as they come, wherever they are cut; answers the frames that are whole. */
export class RelayReader {
  #parts: Buffer[] = []
  #held = 0
  /** bytes without which there is no further frame */
  #wanted = headerBytes

  read(piece: Buffer): RelayFrame[] {
    this.#parts.push(piece)
    this.#held += piece.length
    if (this.#held < this.#wanted) return []
    const bytes = this.#parts.length === 1 ? piece : Buffer.concat(this.#parts)
    const frames: RelayFrame[] = []
    let at = 0
    for (this.#wanted = headerBytes; bytes.length - at >= this.#wanted; this.#wanted = headerBytes) {
      this.#wanted = headerBytes + this.#lengthOf(bytes, at)
      if (bytes.length - at < this.#wanted) break
      const payload = bytes.subarray(at + headerBytes, at + this.#wanted)
      frames.push({ type: bytes.readUInt8(at), channel: bytes.readUInt32BE(at + 1), payload })
      at += this.#wanted
    }
    this.#held = bytes.length - at
    this.#parts = this.#held > 0 ? [bytes.subarray(at)] : []
    return frames
  }

  #lengthOf(bytes: Buffer, at: number): number {
    const [type, length] = [bytes.readUInt8(at), bytes.readUInt32BE(at + 5)]
    const isRight = type === reply.data ? length > 0 && length <= largestPayload : length === lengths[type]
    if (!isRight) throw new RelayFault(`a frame of type ${type} and ${length} bytes`)
    return length
  }
}
