// Sockets to the platform, for each connection its own, so that a hanging or broken socket harms no other connection.
import type { LookupFunction, Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import type { Client, Dispatcher } from 'undici'
import { Problem } from '../../problems.ts'
import { limits } from './limits.ts'
import { type AddressLookupOptions, createAddressLookup } from './address-lookup.ts'
import { type Framing, onread, shareReads } from './read-buffer.ts'
import { createConnector } from '../proxy/connector.ts'
import type { Outbound } from '../proxy/outbound.ts'

export interface Reach {
  readonly connectMs: number
  readonly headersMs: number
  readonly idleMs: number
  readonly totalMs: number
  readonly concurrency: number
  readonly privateAddresses: boolean
}

export interface PoolsOptions extends Reach, Pick<AddressLookupOptions, 'steady' | 'resolve'> {
  readonly origin: string
  /** undefined: straight to the platform */
  readonly outbound?: Pick<Outbound, 'to'> | undefined
}

export type Pools = ReturnType<typeof createPools>

/** a client of undici, which has at most one socket */
export interface PooledClient extends Framing {
  readonly client: Client
  /** the latest one, which may be closed */
  socket: Socket | undefined
}

const isConnected = ({ socket }: PooledClient): boolean => socket !== undefined && !socket.destroyed

/** what reads a response; it has a client from when it is sent until it leaves the pool */
export interface Receiver extends Dispatcher.DispatchHandler {
  pooled: PooledClient | undefined
  /** whether its socket has carried a call before */
  isKeptAlive: boolean
  readonly isOver: boolean
  fail(error: unknown): void
}

interface Sent {
  readonly request: Dispatcher.DispatchOptions
  readonly receiver: Receiver
}

interface Host {
  readonly most: number
  readonly steady: () => number
  open(pool: SocketPool): PooledClient
  /** it has no clients left */
  emptied(pool: SocketPool): void
}

/** One call at a time on each client. The latest used one is next: its socket is warm, and those that are not needed close. */
export class SocketPool {
  usedAt = 0
  readonly #host: Host
  #clients: PooledClient[] = []
  #idle: PooledClient[] = []
  readonly #waiting: Sent[] = []

  constructor(host: Host) {
    this.#host = host
  }

  get isIdle(): boolean {
    return this.#idle.length === this.#clients.length
  }

  send(request: Dispatcher.DispatchOptions, receiver: Receiver) {
    this.usedAt = this.#host.steady()
    const pooled = this.#idle.pop() ?? this.#open()
    if (!pooled) return void this.#waiting.push({ request, receiver })
    receiver.pooled = pooled
    receiver.isKeptAlive = isConnected(pooled)
    return void pooled.client.dispatch(request, receiver)
  }

  /** undefined where as many are open as there may be */
  #open(): PooledClient | undefined {
    if (this.#clients.length >= this.#host.most) return undefined
    const pooled = this.#host.open(this)
    this.#clients.push(pooled)
    return pooled
  }

  /** After a failure its client is not used again: it may still be connecting, or closing its socket. */
  leave(receiver: Receiver, isWhole: boolean) {
    const { pooled } = receiver
    if (!pooled) return
    receiver.pooled = undefined
    pooled.isInBody = false
    if (isWhole) this.#idle.push(pooled)
    else this.#drop(pooled)
    let next = this.#waiting.shift()
    while (next?.receiver.isOver) next = this.#waiting.shift()
    if (next) this.send(next.request, next.receiver)
  }

  #drop(pooled: PooledClient) {
    const at = this.#clients.indexOf(pooled)
    if (at < 0) return
    this.#clients.splice(at, 1)
    void pooled.client.destroy()
    if (this.#clients.length === 0) this.#host.emptied(this)
  }

  /** drops clients whose socket was closed while it was idle */
  sweep() {
    const cold = this.#idle.filter((pooled) => !isConnected(pooled))
    this.#idle = this.#idle.filter(isConnected)
    for (const pooled of cold) this.#drop(pooled)
  }

  async close() {
    for (const { receiver } of this.#waiting.splice(0)) receiver.fail(new Problem('stopping'))
    const clients = this.#clients
    this.#clients = []
    this.#idle = []
    this.#host.emptied(this)
    await Promise.all(clients.map(({ client }) => client.destroy()))
  }
}

const sweepMs = 30_000
/** if the platform does not say for how long it keeps idle sockets; where it closes one earlier, the call is sent again */
const keptIdleMs = 30_000
/** sockets take memory: beyond so many pools, the least recently used idle ones are closed, some at a time */
const [mostPools, closedAtOnce] = [2_000, 16]
const isLocal = (origin: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname)

/**
 * Loaded by the first read: its 120 files would slow the start. Then V8 is told to compile a function for speed after 200 calls
 * instead of 3,000, and not before: it takes no cached code that was compiled under other flags.
 */
async function loadUndici() {
  const undici = await import('undici')
  setFlagsFromString('--invocation-count-for-turbofan=200')
  return undici
}

type Undici = Awaited<ReturnType<typeof loadUndici>>

/** opens clients with one connector, so that all of them resume the TLS sessions of the platform */
function createOpen(undici: Undici, options: PoolsOptions, lookup: LookupFunction): () => PooledClient {
  const { Client, buildConnector } = undici
  const { origin, connectMs, headersMs, idleMs, steady, outbound } = options
  const straight = (trust: object) => buildConnector({ timeout: connectMs, lookup, allowH2: false, onread, ...trust })
  const connect = outbound ? createConnector(undici, { connectMs, steady, outbound, straight }) : straight({})
  const given: Client.Options = {
    pipelining: 1,
    // on one HTTP/2 session a broken frame would fail all calls together
    allowH2: false,
    headersTimeout: headersMs,
    bodyTimeout: idleMs,
    keepAliveTimeout: keptIdleMs,
    maxHeaderSize: limits.headerBytes,
  }
  return () => {
    const connectOne: ReturnType<typeof buildConnector> = (where, done) =>
      connect(where, (...connected) => {
        const [, socket] = connected
        if (socket) shareReads((pooled.socket = socket), pooled)
        done(...connected)
      })
    const client = new Client(origin, { ...given, connect: connectOne })
    const pooled: PooledClient = { client, socket: undefined, isInBody: false }
    return pooled
  }
}

function makeRoom(open: ReadonlySet<SocketPool>) {
  if (open.size < mostPools) return
  const idle = [...open].filter(({ isIdle }) => isIdle).toSorted((one, other) => one.usedAt - other.usedAt)
  for (const pool of idle.slice(0, closedAtOnce)) void pool.close()
}

export function createPools(options: PoolsOptions) {
  const { origin, privateAddresses, steady, resolve, concurrency } = options
  const lookup = createAddressLookup({ privateAddresses: privateAddresses || isLocal(origin), steady, resolve })
  const open = new Set<SocketPool>()
  let openClient: (() => PooledClient) | undefined
  let isClosed = false

  const timer = setInterval(() => {
    for (const pool of open) pool.sweep()
  }, sweepMs)
  timer.unref()

  const host: Host = {
    most: concurrency,
    steady,
    open(pool) {
      if (isClosed || !openClient) throw new Problem('stopping')
      if (!open.has(pool)) makeRoom(open)
      open.add(pool)
      return openClient()
    },
    emptied: (pool) => void open.delete(pool),
  }

  return {
    /** to be awaited before the first read */
    async load() {
      openClient ??= createOpen(await loadUndici(), options, lookup)
    },
    isLoaded: () => openClient !== undefined,
    /** the sockets of one connection; it has none until it is used */
    create: () => new SocketPool(host),
    async close() {
      clearInterval(timer)
      isClosed = true
      await Promise.all([...open].map((pool) => pool.close()))
    },
  }
}
