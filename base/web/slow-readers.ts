// Closes the sockets of callers who do not read their answers: those who stand still, and those slower than the lowest rate.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** a socket is closed after so many intervals in a row without progress */
const [lookMs, mostLooks] = [1_000, 7]
/** the lowest rate, averaged over an answer, counts after the first half minute */
const [graceMs, leastBytesPerMs] = [30_000, 4]

/** how long an answer of this size may wait for its reader */
export const longestMs = (bytes: number): number => graceMs + bytes / leastBytesPerMs

const watched = new WeakSet<ServerResponse>()

/**
 * Counts the seconds without progress that the socket's timeout reports, not time: after this process was blocked, one such
 * second is not the caller's fault.
 */
function countStandstills(socket: Socket, res: ServerResponse) {
  let looks = 0
  let lookedAt = 0
  res.on('timeout', () => {
    const isNext = performance.now() - lookedAt < 2 * lookMs
    looks = isNext ? looks + 1 : 1
    lookedAt = performance.now()
    if (looks < mostLooks) socket.setTimeout(lookMs)
    else socket.destroy()
  })
  socket.setTimeout(lookMs)
}

/** `bytes`: how much of the answer is not sent. Nothing changes if it is watched already. */
export function watchReader(socket: Socket, res: ServerResponse, bytes: number) {
  if (watched.has(res)) return
  watched.add(res)
  countStandstills(socket, res)
  // the next answer of the socket may not be made yet
  res.prependOnceListener('finish', () => socket.setTimeout(0))
  const late = setTimeout(() => socket.destroy(), longestMs(bytes))
  res.once('close', () => clearTimeout(late))
}
