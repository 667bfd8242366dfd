// The socket's side of the public door: clocks, bounds, and an answer in our own form for bytes that are no request.
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { Observe } from '../observe.ts'
import { Problem, type ProblemCode } from '../problem.ts'
import type { Proxies } from './address.ts'
import { createCrowd, type Crowd } from './crowd.ts'
import { createCutter, type Cutter } from './cutter.ts'
import { answersOn, type InFlight, track } from './in-flight.ts'
import type { Hosts } from './hosts.ts'
import { createServer } from './node-http.ts'
import { neighbourhoodOf } from './lock-out.ts'
import { makeRequestId, rawAnswer } from './refusal.ts'
import { Starts } from './starts.ts'

const clocks = {
  headersTimeout: 5_000,
  requestTimeout: 8_000,
  // often, or thousands that are late would go at one tick and hold up everybody else
  connectionsCheckingInterval: 200,
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

/** how long a refusal waits for the answers before it */
const lastMs = 30_000
const mostConnections = 10_000
/** sockets of trusted proxies, and such as are being closed */
const moreConnections = 1_000
const drainStepMs = 10

/** Says what is wrong and lets go of the socket; only `end` would let a slow sender keep it for ever. */
function refuse(socket: Duplex, problem: Problem, inFlight: InFlight) {
  if (!socket.writable) return void socket.destroy()
  socket.pause()
  const waiting = inFlight.bySocket.get(socket)
  // garbage behind a good request must not be answered before it
  for (const res of waiting ?? []) {
    // whatever keeps that from ending shall not keep the socket
    const late = globalThis.setTimeout(() => socket.destroy(), lastMs).unref()
    return void res.once('close', () => {
      clearTimeout(late)
      refuse(socket, problem, inFlight)
    })
  }
  return void socket.end(rawAnswer(problem, makeRequestId()), () => socket.destroy())
}

function turnAwayWhatIsNoRequest(server: Server, inFlight: InFlight, cutter: Cutter, observe: Observe) {
  const turnAway = (socket: Duplex, code: ProblemCode, reason: string) => {
    if (cutter.isCut(socket)) return
    observe({ kind: 'refused', code, reason })
    refuse(socket, new Problem(code), inFlight)
  }
  server.on('clientError', (error: ParseError, socket) => {
    if (error.code === 'ECONNRESET') return void socket.destroy()
    return turnAway(socket, codeOf(error), error.code ?? 'unknown')
  })
  server.on('connect', (_: IncomingMessage, socket: Duplex) => turnAway(socket, 'malformed_request', 'CONNECT'))
}

/** the bounds of a door that come from its settings */
export interface Bounds {
  readonly proxies: Proxies
  /** absent: any */
  readonly hosts?: Hosts | undefined
  /** sockets of one neighbourhood; 0: no limit */
  readonly connectionsPerAddress: number
}

export interface Patience {
  /** for answers that are under way */
  readonly mostMs: number
  /** for sockets without one, which go by themselves: a request may be on its way on them */
  readonly idleMs: number
  /** ends the waiting */
  readonly hurry?: AbortSignal
}

export interface HttpServer {
  readonly server: Server
  /** serves no further connection, lets every answer under way leave, and lets go of who is left when the time is over */
  drain(how: Patience): Promise<void>
}

interface Beginning {
  readonly inFlight: InFlight
  readonly cutter: Cutter
  readonly crowd: Crowd
  readonly starts: Starts
}

/** answers the sockets that came after the drain began: nothing on them is served */
function letIn(server: Server, { inFlight, crowd, starts }: Beginning): WeakSet<Socket> {
  const late = new WeakSet<Socket>()
  server.on('connection', (socket) => {
    // each of many pipelined requests listens on the one socket
    socket.setMaxListeners(0)
    // the server's own listener goes when a caller asks for a tunnel, and a reset would then end the process
    socket.on('error', () => socket.destroy())
    crowd.enter(socket)
    if (inFlight.isDraining) {
      late.add(socket)
      return
    }
    inFlight.open++
    socket.once('close', () => {
      inFlight.open--
      starts.gone(socket)
    })
  })
  return late
}

/** a request comes to the listener in its turn, unless its socket has too many unanswered ones */
function starting(
  listener: RequestListener,
  { proxies }: Bounds,
  { inFlight, cutter, crowd, starts }: Beginning,
): RequestListener {
  return (req, res) => {
    if (!cutter.admits(req.socket)) return
    const coming = {
      socket: req.socket,
      res,
      network: () => neighbourhoodOf(proxies.callerOf(req)),
      hasKey: req.headers.authorization !== undefined,
      start: () => listener(req, res),
    }
    if (!starts.admits(coming)) return cutter.cut(req.socket)
    // the parser drops what stands behind it in the same bytes: no answer after this one could be told to its request
    if (req.headers.upgrade !== undefined) res.shouldKeepAlive = false
    track(inFlight, crowd, req, res)
    starts.enter(coming)
  }
}

export function createHttpServer(listener: RequestListener, bounds: Bounds, observe: Observe): HttpServer {
  const inFlight: InFlight = { bySocket: new WeakMap(), busy: 0, open: 0, isDraining: false }
  const cutter = createCutter(inFlight)
  const crowd = createCrowd({
    most: bounds.connectionsPerAddress,
    mostInAll: mostConnections,
    isTrusted: (address) => bounds.proxies.trusts(address),
    observe,
  })
  const starts = new Starts({ answersOn: (socket) => answersOn(socket, inFlight) })
  const beginning = { inFlight, cutter, crowd, starts }
  const start = starting(listener, bounds, beginning)
  const onRequest: RequestListener = (req, res) =>
    late.has(req.socket) ? refuse(req.socket, new Problem('stopping'), inFlight) : start(req, res)
  // where no content is announced, none is waited for
  const server = createServer(
    { ...clocks, maxHeaderSize, requireHostHeader: false, optimizeEmptyRequests: true },
    onRequest,
  )
  // a request like any other, which is refused in its turn
  for (const event of ['checkContinue', 'checkExpectation']) server.on(event, onRequest)
  // a caller who has said all he will say is still listening
  Object.assign(server, { httpAllowHalfOpen: true, maxConnections: mostConnections + moreConnections })
  const late = letIn(server, beginning)
  turnAwayWhatIsNoRequest(server, inFlight, cutter, observe)
  return { server, drain: (how) => drain(server, inFlight, how) }
}

async function drain(server: Server, inFlight: InFlight, { mostMs, idleMs, hurry }: Patience) {
  inFlight.isDraining = true
  const begunAt = performance.now()
  const lasts = (ms: number) => hurry?.aborted !== true && performance.now() - begunAt < ms
  // A balancer whose checks are refused takes the process for dead and may cut its answers, so they get 503 until the last is sent.
  while (inFlight.busy > 0 && lasts(mostMs)) await setTimeout(drainStepMs)
  // http's own close would cut answers that are written but not yet sent
  if (server.listening) NetServer.prototype.close.call(server)
  while ((inFlight.busy > 0 && lasts(mostMs)) || (inFlight.open > 0 && lasts(idleMs))) await setTimeout(drainStepMs)
  // half a request would otherwise hold the server open: it is not idle, and its clock no longer runs
  server.closeAllConnections()
}
