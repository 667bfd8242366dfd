// Requests to leave HTTP for another protocol on the same socket: they pass the checks of every other request first. A service takes
// the socket over, or answers as usual; then the socket closes.
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ServerResponse } from './node-http.ts'
import type { ConnectionLimit, InFlight } from './sockets.ts'

export interface TakenSocket {
  readonly socket: Socket
  /** what came after the request */
  readonly head: Buffer
}

/** undefined: the caller is gone, or was answered. The socket stays busy until it is closed. */
export type TakeSocket = () => TakenSocket | undefined

const takers = new WeakMap<IncomingMessage, TakeSocket>()

export const wantsWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'

/** undefined: the request stays with HTTP */
export const upgradeOf = (req: IncomingMessage): TakeSocket | undefined => takers.get(req)

export interface UpgradeParts {
  readonly inFlight: InFlight
  readonly connectionLimit: ConnectionLimit
  readonly start: (req: IncomingMessage, res: ServerResponse) => void
}

function takerOf(res: ServerResponse, head: Buffer, { connectionLimit }: UpgradeParts): TakeSocket {
  return () => {
    const { socket } = res
    if (!socket || socket.destroyed || res.headersSent) return undefined
    res.statusCode = 101
    res.detachSocket(socket)
    res.emit('close')
    connectionLimit.busy(socket)
    return { socket, head }
  }
}

/** whether the server may hand the request over: an earlier answer on the socket would be written into the other protocol */
export const mayUpgrade = (req: IncomingMessage, { sockets }: InFlight): boolean =>
  (sockets.get(req.socket)?.answers.length ?? 0) === 0

export function acceptUpgrades(server: Server, parts: UpgradeParts) {
  server.on('upgrade', (req: IncomingMessage, duplex: Duplex, head: Buffer) => {
    const socket = duplex as Socket
    const res = new ServerResponse(req)
    res.shouldKeepAlive = false
    res.assignSocket(socket)
    // its close ends the answer, too
    res.once('finish', () => socket.destroySoon())
    takers.set(req, takerOf(res, head, parts))
    parts.start(req, res)
  })
}
