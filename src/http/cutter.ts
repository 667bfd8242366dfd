// Ends sockets on which too many requests are unanswered: those that are taken are answered first.
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { InFlight } from './in-flight.ts'

/** unanswered requests on one socket */
const mostWaiting = 100

export interface Cutter {
  /** nothing that comes on it from now on is looked at */
  cut(socket: Socket): void
  isCut(socket: Duplex): boolean
  /** false where nothing that comes on it is looked at any more */
  admits(socket: Socket): boolean
}

/** A caller who pipelines without end gets the answers that are begun, and no further request of theirs is looked at. */
export function createCutter(inFlight: InFlight): Cutter {
  const isCut = new WeakSet<Duplex>()
  function cut(socket: Socket) {
    isCut.add(socket)
    socket.pause()
    const last = [...(inFlight.bySocket.get(socket) ?? [])].at(-1)
    if (last) {
      last.shouldKeepAlive = false
      last.once('close', () => socket.destroySoon())
    } else socket.destroySoon()
  }
  return {
    cut,
    isCut: (socket) => isCut.has(socket),
    admits(socket) {
      if (isCut.has(socket)) return false
      if ((inFlight.bySocket.get(socket)?.size ?? 0) < mostWaiting) return true
      cut(socket)
      return false
    },
  }
}
