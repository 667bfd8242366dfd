// Answers that are not yet in the network, by socket: who has some is not idle, and who does not read them is let go of.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Crowd } from './crowd.ts'

export interface InFlight {
  /** in the order of their requests */
  readonly bySocket: WeakMap<Duplex, Set<ServerResponse>>
  /** sockets that have some */
  busy: number
}

/** how long a caller may not read before his socket goes; the socket's own clock grants it once more if he had begun */
const stallMs = 5_000

/** one set for the life of a socket: most have one request after the other */
function answersOn(socket: Duplex, { bySocket }: InFlight): Set<ServerResponse> {
  const known = bySocket.get(socket)
  if (known) return known
  const answers = new Set<ServerResponse>()
  bySocket.set(socket, answers)
  return answers
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
    socket.setTimeout(stallMs)
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
