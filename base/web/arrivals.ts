// Decides when a new socket is first read. Node accepts one socket in each turn of its event loop, so a turn must stay short while others
// wait to be accepted: a caller that opens many sockets waits with those beyond its rate until all have been accepted.
import type { Socket } from 'node:net'
import { networkOf } from '../core/network.ts'

export interface ArrivalsOptions {
  readonly isTrusted: (address: string) => boolean
  /** reads the socket, and starts its requests */
  readonly begin: (socket: Socket) => void
  readonly now?: () => number
}

const bounds = {
  /** sockets that a caller opens at once, and then in a second, which never wait */
  burst: 100,
  perSecond: 100,
  /** waiting ones that begin in a turn in which none was accepted */
  inOneTurn: 4,
}
const stepMs = 1_000 / bounds.perSecond
const sweepMs = 1_000

/** an IPv4 address, or the network of an IPv6 address, of which a caller has very many */
const callerOf = (address: string): string => (address.includes('.') ? address : networkOf(address))

interface Caller {
  /** the time at which its sockets so far would have come at this rate */
  paidAt: number
  readonly waiting: Set<Socket>
}

export class Arrivals {
  readonly #callers = new Map<string, Caller>()
  /** those with waiting sockets, in rotation */
  readonly #ring = new Set<Caller>()
  readonly #options: ArrivalsOptions
  readonly #now: () => number
  #sweptAt = 0
  #hasAccepted = false
  #isTurnPlanned = false

  constructor(options: ArrivalsOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  enter(socket: Socket) {
    const from = socket.remoteAddress ?? 'unknown'
    this.#hasAccepted = true
    if (this.#options.isTrusted(from)) return this.#options.begin(socket)
    const caller = this.#callerAt(callerOf(from))
    if (caller.waiting.size === 0 && this.#isInRate(caller)) return this.#begin(caller, socket)
    caller.waiting.add(socket)
    this.#ring.add(caller)
    socket.once('close', () => this.#leave(caller, socket))
    return this.#planTurn()
  }

  /** lets all waiting sockets begin, since no more are accepted */
  release() {
    for (const caller of this.#ring) for (const socket of caller.waiting) this.#begin(caller, socket)
  }

  #callerAt(name: string): Caller {
    const now = this.#now()
    if (now - this.#sweptAt >= sweepMs) {
      this.#sweptAt = now
      for (const [key, { paidAt, waiting }] of this.#callers)
        if (paidAt <= now && waiting.size === 0) this.#callers.delete(key)
    }
    const caller = this.#callers.get(name) ?? { paidAt: now, waiting: new Set() }
    this.#callers.set(name, caller)
    return caller
  }

  #isInRate({ paidAt }: Caller): boolean {
    return paidAt - this.#now() <= (bounds.burst - 1) * stepMs
  }

  #begin(caller: Caller, socket: Socket) {
    this.#leave(caller, socket)
    caller.paidAt = Math.max(caller.paidAt, this.#now()) + (this.#isInRate(caller) ? stepMs : 0)
    this.#options.begin(socket)
  }

  #leave(caller: Caller, socket: Socket) {
    caller.waiting.delete(socket)
    if (caller.waiting.size === 0) this.#ring.delete(caller)
  }

  #planTurn() {
    if (this.#isTurnPlanned) return
    this.#isTurnPlanned = true
    setImmediate(() => this.#takeTurn())
  }

  #takeTurn() {
    this.#isTurnPlanned = false
    const isQuiet = !this.#hasAccepted
    this.#hasAccepted = false
    let begun = 0
    for (const caller of this.#ring) {
      const [socket] = caller.waiting
      if (begun === bounds.inOneTurn || !socket) break
      if (!isQuiet && !this.#isInRate(caller)) continue
      this.#ring.delete(caller)
      this.#ring.add(caller)
      this.#begin(caller, socket)
      begun++
    }
    if (this.#ring.size > 0) this.#planTurn()
  }
}
