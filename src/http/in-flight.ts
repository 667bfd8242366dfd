// Answers that are not yet in the network, by socket: who has some is not idle, and who does not read them is let go of.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Crowd } from './crowd.ts'

export interface InFlight {
  /** in the order of their requests */
  readonly bySocket: WeakMap<Duplex, Set<ServerResponse>>
  /** sockets that have some */
  busy: number
  /** sockets that are open, but for those that came after the drain began */
  open: number
  isDraining: boolean
}

/** a caller is looked at so often, and may not have read so many times before his socket goes */
const [lookMs, mostLooks] = [1_000, 7]

/** one set for the life of a socket: most have one request after the other */
export function answersOn(socket: Duplex, { bySocket }: InFlight): Set<ServerResponse> {
  const known = bySocket.get(socket)
  if (known) return known
  const answers = new Set<ServerResponse>()
  bySocket.set(socket, answers)
  return answers
}

/**
 * The socket's own clock tells of a second in which nothing was read. Seconds are counted, since time would not do: where this
 * process itself stood still, its first look finds nothing read, and that is no fault of the caller's.
 */
function lookAfter(socket: Socket, res: ServerResponse) {
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

export function track(inFlight: InFlight, crowd: Crowd, { socket }: IncomingMessage, res: ServerResponse) {
  const answers = answersOn(socket, inFlight)
  answers.add(res)
  if (answers.size === 1) {
    inFlight.busy++
    crowd.busy(socket)
  }
  res.on('prefinish', () => {
    // nearly every answer is taken whole, and nobody can keep it from leaving
    if (socket.writableLength === 0) return
    lookAfter(socket, res)
    // the next answer on this socket may still wait for the platform; where it is made already, its clock starts after this
    res.prependOnceListener('finish', () => answers.size > 1 && socket.setTimeout(0))
  })
  res.on('close', () => {
    answers.delete(res)
    if (answers.size > 0) return
    inFlight.busy--
    if (!socket.destroyed) crowd.idle(socket)
  })
}
