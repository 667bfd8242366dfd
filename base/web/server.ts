// The HTTP server of one port: its timeouts, its limits, and its drain.
import { once } from 'node:events'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Observe } from '../core/events.ts'
import { type Address, shownAddress } from '../core/setting-values.ts'
import { Problem } from '../core/problem.ts'
import type { Proxies } from './address.ts'
import { Arrivals } from './arrivals.ts'
import { refuseBrokenRequests, refuseSocket } from './broken-requests.ts'
import {
  admitsOneMore,
  createConnectionLimit,
  type ConnectionLimit,
  cut,
  type InFlight,
  stateOf,
  track,
} from './sockets.ts'
import type { Hosts } from './request-checks.ts'
import { createServer } from './node-http.ts'
import { networkOf } from '../core/network.ts'
import { RequestQueue } from './request-queue.ts'
import { acceptUpgrades, mayUpgrade } from './upgrades.ts'

const clocks = {
  headersTimeout: 5_000,
  requestTimeout: 8_000,
  // often, or thousands of late sockets would be closed in one tick and delay all others
  connectionsCheckingInterval: 200,
  keepAliveTimeout: 5_000,
}

/** above what `checkRequest` refuses with an error body */
const maxHeaderSize = 32 * 1024

const mostConnections = 10_000
/** for trusted proxies, and sockets that are being closed */
const moreConnections = 1_000
const drainStepMs = 10

export interface ServerOptions {
  readonly proxies: Proxies
  readonly hosts?: Hosts | undefined
  readonly connectionsPerAddress: number
  /** for a whole request with its body; absent: 8 s; 0: a route limits its own body */
  readonly requestTimeoutMs?: number
  /** requests whose route may take the socket over; absent: none */
  readonly upgrades?: (req: IncomingMessage) => boolean
}

export interface Patience {
  readonly mostMs: number
  /** how long to wait for idle sockets to close: a request may be on its way */
  readonly idleMs: number
  readonly hurry?: AbortSignal
}

export interface HttpServer {
  readonly listen: (at: { readonly host: string; readonly port: number }) => Promise<AddressInfo>
  /** Stops listening. Resolves when all sockets are closed: after the last answer, or when the time is over. */
  readonly drain: (how: Patience) => Promise<void>
}

interface Beginning {
  readonly inFlight: InFlight
  readonly connectionLimit: ConnectionLimit
  readonly arrivals: Arrivals
  readonly queue: RequestQueue
}

/** takes the place of node:http's own listener, which reads a socket at once */
function createArrivals(server: Server, { proxies }: ServerOptions): Arrivals {
  const [begin] = server.listeners('connection')
  server.removeAllListeners('connection')
  Object.assign(server, { pauseOnConnect: true })
  return new Arrivals({
    isTrusted: (address) => proxies.trusts(address),
    begin(socket) {
      begin?.call(server, socket)
      socket.resume()
    },
  })
}

function acceptSockets(server: Server, { inFlight, connectionLimit, arrivals, queue }: Beginning) {
  server.on('connection', (socket) => {
    // each pipelined request adds listeners to the socket
    socket.setMaxListeners(0)
    // CONNECT removes the server's own listener, and a reset would then end the process
    socket.on('error', () => socket.destroy())
    connectionLimit.enter(socket)
    if (socket.destroyed) return
    arrivals.enter(socket)
    if (inFlight.isDraining) {
      stateOf(socket, inFlight).isLate = true
      return
    }
    inFlight.open++
    socket.once('close', () => {
      inFlight.open--
      queue.gone(socket)
    })
  })
}

function starting(
  listener: RequestListener,
  { proxies }: ServerOptions,
  { inFlight, connectionLimit, queue }: Omit<Beginning, 'arrivals'>,
): RequestListener {
  return (req, res) => {
    const { socket } = req
    const state = stateOf(socket, inFlight)
    if (state.isLate) return refuseSocket(socket, new Problem('stopping'), inFlight)
    if (!admitsOneMore(socket, state)) return
    const coming = {
      socket,
      res,
      answers: state.answers,
      network: () => networkOf(proxies.callerOf(req)),
      hasKey: req.headers.authorization !== undefined,
      start: () => listener(req, res),
    }
    if (!queue.admits(coming)) return cut(socket, state)
    // the parser drops what follows an upgrade, so a later answer could not be matched to its request
    if (req.headers.upgrade !== undefined) res.shouldKeepAlive = false
    track(inFlight, connectionLimit, socket, coming)
    queue.enter(coming)
  }
}

export function createHttpServer(listener: RequestListener, bounds: ServerOptions, observe: Observe): HttpServer {
  const inFlight: InFlight = { sockets: new WeakMap(), busy: 0, open: 0, isDraining: false }
  const connectionLimit = createConnectionLimit({
    most: bounds.connectionsPerAddress,
    mostInAll: mostConnections,
    isTrusted: (address) => bounds.proxies.trusts(address),
    observe,
  })
  const queue = new RequestQueue()
  const onRequest = starting(listener, bounds, { inFlight, connectionLimit, queue })
  const server = createServer(
    {
      ...clocks,
      requestTimeout: bounds.requestTimeoutMs ?? clocks.requestTimeout,
      maxHeaderSize,
      requireHostHeader: false,
      optimizeEmptyRequests: true,
      shouldUpgradeCallback: (req) => bounds.upgrades?.(req) === true && mayUpgrade(req, inFlight),
    },
    onRequest,
  )
  for (const event of ['checkContinue', 'checkExpectation']) server.on(event, onRequest)
  // a caller who has closed their half may still read
  Object.assign(server, { httpAllowHalfOpen: true, maxConnections: mostConnections + moreConnections })
  const arrivals = createArrivals(server, bounds)
  acceptSockets(server, { inFlight, connectionLimit, arrivals, queue })
  if (bounds.upgrades) acceptUpgrades(server, { inFlight, connectionLimit, start: onRequest })
  refuseBrokenRequests(server, inFlight, observe)
  return {
    async listen(at) {
      await once(server.listen(at), 'listening')
      return server.address() as AddressInfo
    },
    drain: (how) => drain({ server, inFlight, arrivals }, how),
  }
}

interface Drained extends Pick<Beginning, 'inFlight' | 'arrivals'> {
  readonly server: Server
}

async function drain({ server, inFlight, arrivals }: Drained, { mostMs, idleMs, hurry }: Patience) {
  inFlight.isDraining = true
  const begunAt = performance.now()
  const lasts = (ms: number) => hurry?.aborted !== true && performance.now() - begunAt < ms
  // a load balancer whose checks fail may cut the answers under way, so it gets 503 until the last one was sent
  while (inFlight.busy > 0 && lasts(mostMs)) await setTimeout(drainStepMs)
  // node:http's own close would cut answers that are written but not sent
  if (server.listening) NetServer.prototype.close.call(server)
  arrivals.release()
  while ((inFlight.busy > 0 && lasts(mostMs)) || (inFlight.open > 0 && lasts(idleMs))) await setTimeout(drainStepMs)
  server.close()
  // half a request would keep the server open: it is not idle, and its timeout no longer runs
  server.closeAllConnections()
}

const urlOf = ({ family, address, port }: AddressInfo): string =>
  `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`

const listenFaults: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'this machine does not have that address',
}

/** a failure names the setting: the system names the address alone */
export async function listenFor<T>(setting: string, { host, port }: Address, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException
    const words = listenFaults[code]
    const reason = words === undefined ? message : `${words} (${code})`
    throw Object.assign(
      new Error(`${setting}: cannot listen at ${shownAddress({ host, port })}: ${reason}.`, { cause }),
      { code },
    )
  }
}

export const listenAt = async (server: HttpServer, setting: string, at: Address): Promise<string> =>
  urlOf(await listenFor(setting, at, () => server.listen(at)))
