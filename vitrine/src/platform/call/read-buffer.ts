// All platform sockets read into one buffer. A buffer for each read is 64 KiB that V8 counts as old memory: a major collection
// every hundred pages. Its bytes are good until the next read of any socket, so undici gets a copy of all that it may keep.
import { Socket } from 'node:net'

const shared = Buffer.allocUnsafeSlow(64 * 1024)
const endOfHead = '\r\n\r\n'

/** where a socket is in its response */
export interface Framing {
  /** inside a body of known length: undici keeps nothing of it, and its receiver copies each part at once */
  isInBody: boolean
}

const state = Symbol('bytes that were read and not yet taken')

interface ReadingSocket extends Socket {
  [state]?: { bytes: Buffer | undefined; readonly framing: Framing }
}

/** undici takes bytes with this until it gets null: a head at a time, since what reads it says how its body is taken */
function read(this: ReadingSocket, size?: number): Buffer | null {
  const reading = this[state]
  const bytes = reading?.bytes
  if (!reading || !bytes) return Socket.prototype.read.call(this, size) as Buffer | null
  reading.bytes = undefined
  if (reading.framing.isInBody) return bytes
  const endAt = bytes.indexOf(endOfHead) + endOfHead.length
  if (endAt < endOfHead.length || endAt === bytes.length) return Buffer.from(bytes)
  reading.bytes = bytes.subarray(endAt)
  return Buffer.from(bytes.subarray(0, endAt))
}

/** for `net.connect` and `tls.connect`, which call back as methods of the socket */
export const onread = {
  buffer: shared,
  callback(this: ReadingSocket, size: number): boolean {
    const reading = this[state]
    if (reading) {
      reading.bytes = shared.subarray(0, size)
      this.emit('readable')
    }
    // bytes that are not taken now would be another socket's bytes soon
    if (!reading || reading.bytes) this.destroy(new Error('bytes that were not asked for'))
    return true
  },
}

/** to be called when a socket is connected, before it is used */
export function shareReads(socket: Socket, framing: Framing) {
  Object.assign(socket, { [state]: { bytes: undefined, framing }, read })
}
