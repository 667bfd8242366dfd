// Content in tiny chunks costs some 10 µs a chunk and the caller six bytes: a few sockets would hold the service for seconds.
import type { IncomingMessage } from 'node:http'

const freeChunks = 512
const usualBytes = 128

/** closes the connection of a caller whose chunks are many and hold little */
export function limitChunks(req: IncomingMessage) {
  const push = req.push.bind(req)
  let [chunks, bytes, isCut] = [0, 0, false]
  req.push = (chunk: Buffer | null) => {
    if (chunk === null) return push(null)
    if (isCut) return false
    bytes += chunk.length
    if (++chunks <= freeChunks + bytes / usualBytes) return push(chunk)
    isCut = true
    req.socket.destroy()
    return false
  }
}
