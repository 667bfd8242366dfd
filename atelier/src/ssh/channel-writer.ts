// Writes a command's output to a channel, as fast as the client takes it. It also answers for what the library leaves open:
// the size of packets that the client names, a full socket, and a write that waits for ever once a channel is closed.
import type { Socket } from 'node:net'
import type { ServerChannel } from 'ssh2'

interface Internals {
  readonly outgoing: { readonly packetSize: number }
  _chunk: Buffer | undefined
  _chunkcb: (() => void) | undefined
  _chunkErr: Buffer | undefined
  _chunkcbErr: (() => void) | undefined
}

/** smaller packets would multiply the work, and one of 0 bytes would never end it */
const leastPacketBytes = 1_024
/** of a connection; a client that reads has the next bytes at hand */
const mostQueuedBytes = 1_048_576
/** what a client may leave unsent by a key exchange that it never finishes; its windows hold less */
const mostHeldBytes = 16 * 1_048_576

export const takesPackets = (channel: ServerChannel): boolean =>
  (channel as unknown as Internals).outgoing.packetSize >= leastPacketBytes

export class ChannelWriter {
  readonly #channel: ServerChannel
  readonly #socket: Socket
  #isClosed = false
  #heldBytes = 0
  /** of the socket, after the last write */
  #writtenBytes = 0
  #resume: (() => void) | undefined

  constructor(channel: ServerChannel, socket: Socket) {
    this.#channel = channel
    this.#socket = socket
  }

  close() {
    this.#isClosed = true
    this.#resume?.()
  }

  /** resolves when more may be written; what a closed channel does not take is dropped */
  async write(stream: 'stdout' | 'stderr', data: Uint8Array) {
    if (this.#isClosed) return
    const target = stream === 'stderr' ? this.#channel.stderr : this.#channel
    const before = this.#socket.bytesWritten
    await this.#wait((done) => target.write(data, done))
    this.#forgetChunks()
    this.#countHeld(data.length, before)
    if (this.#socket.writableLength > mostQueuedBytes) await this.#wait((done) => this.#socket.once('drain', done))
  }

  #wait(begin: (done: () => void) => void): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    return new Promise((resume) => {
      this.#resume = resume
      begin(resume)
    })
  }

  /** the library would send a chunk of stdout that once waited again, when one of stderr waits later */
  #forgetChunks() {
    const channel = this.#channel as unknown as Internals
    channel._chunk = channel._chunkErr = channel._chunkcb = channel._chunkcbErr = undefined
  }

  /** during a key exchange the library keeps what is written, and sends it after it: mostly between two writes */
  #countHeld(length: number, before: number) {
    const isSent = before - this.#writtenBytes >= this.#heldBytes
    this.#writtenBytes = this.#socket.bytesWritten
    const held = isSent ? 0 : this.#heldBytes
    this.#heldBytes = this.#writtenBytes - before >= length ? 0 : held + length
    if (this.#heldBytes > mostHeldBytes) this.#socket.destroy()
  }
}
