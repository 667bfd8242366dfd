// The socket's side of the public door: clocks, bounds, and an answer in our own form for bytes that are no request.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { Observe } from '../observe.ts'
import { Problem, type ProblemCode } from '../problem.ts'
import { makeRequestId, rawAnswer } from './refusal.ts'

const clocks = {
  headersTimeout: 5_000,
  requestTimeout: 8_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
}

/** above what `checkFraming` refuses in its own words; what is larger still never becomes a request */
const maxHeaderSize = 32 * 1024

interface ParseError extends Error {
  readonly code?: string
  readonly reason?: string
  readonly rawPacket?: Buffer
}

const codes: Readonly<Record<string, ProblemCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
}

function codeOf({ code = '', reason, rawPacket }: ParseError): ProblemCode {
  // the parser calls a missing CR behind the version an invalid version too
  if (reason === 'Invalid HTTP version') return 'version_not_supported'
  const endlessLine = code === 'HPE_HEADER_OVERFLOW' && /^[A-Z]+ [^\r\n]*$/.test(rawPacket?.toString('latin1') ?? '')
  return endlessLine ? 'uri_too_long' : (codes[code] ?? 'malformed_request')
}

/** answers that are not yet in the network, by socket; a socket without any is not in it */
type InFlight = Map<Duplex, Set<ServerResponse>>

/** how long a caller may not read before his socket goes; the socket's own clock grants it once more if he had begun */
const stallMs = 5_000
const mostConnections = 10_000
const drainStepMs = 10

/** Says what is wrong and lets go of the socket; only `end` would let a slow sender keep it for ever. */
function refuse(socket: Duplex, problem: Problem, inFlight: InFlight) {
  if (!socket.writable) return void socket.destroy()
  socket.pause()
  const waiting = inFlight.get(socket)
  // garbage behind a good request must not be answered before it
  for (const res of waiting ?? []) return void res.once('close', () => refuse(socket, problem, inFlight))
  return void socket.end(rawAnswer(problem, makeRequestId()), () => socket.destroy())
}

function track(inFlight: InFlight, { socket }: IncomingMessage, res: ServerResponse) {
  const set = inFlight.get(socket) ?? new Set()
  inFlight.set(socket, set.add(res))
  res.once('prefinish', () => socket.setTimeout(stallMs))
  // the next answer on this socket may still wait for the platform
  res.once('finish', () => set.size > 1 && socket.setTimeout(0))
  res.once('close', () => {
    set.delete(res)
    if (set.size === 0) inFlight.delete(socket)
  })
}

export interface HttpServer {
  readonly server: Server
  /** takes no further connection, lets every answer under way leave, and lets go of who is left after `mostMs` */
  drain(mostMs: number): Promise<void>
}

export function createHttpServer(listener: RequestListener, observe: Observe): HttpServer {
  const inFlight: InFlight = new Map()
  const server = createServer({ ...clocks, maxHeaderSize, requireHostHeader: false }, (req, res) => {
    track(inFlight, req, res)
    listener(req, res)
  })
  // a caller who has said all he will say is still listening
  Object.assign(server, { httpAllowHalfOpen: true, maxConnections: mostConnections })
  // each of many pipelined requests listens on the one socket
  server.on('connection', (socket) => socket.setMaxListeners(0))
  const turnAway = (socket: Duplex, code: ProblemCode, reason: string) => {
    observe({ kind: 'refused', code, reason })
    refuse(socket, new Problem(code), inFlight)
  }
  server.on('clientError', (error: ParseError, socket) => {
    if (error.code === 'ECONNRESET') return void socket.destroy()
    return turnAway(socket, codeOf(error), error.code ?? 'unknown')
  })
  for (const event of ['checkContinue', 'checkExpectation'])
    server.on(event, (req: IncomingMessage) => turnAway(req.socket, 'expectation_failed', 'Expect'))
  server.on('connect', (_: IncomingMessage, socket: Duplex) => turnAway(socket, 'malformed_request', 'CONNECT'))
  return {
    server,
    async drain(mostMs) {
      // http's own close would cut answers that are written but not yet sent
      if (server.listening) NetServer.prototype.close.call(server)
      const endsAt = performance.now() + mostMs
      while (inFlight.size > 0 && performance.now() < endsAt) await setTimeout(drainStepMs)
      // half a request would otherwise hold the server open: it is not idle, and its clock no longer runs
      server.closeAllConnections()
    },
  }
}
