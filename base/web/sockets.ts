// The sockets of a port. Too many of one network or in all: the longest idle one is closed, so that new callers can connect although
// someone holds every socket. Each knows its answers that are not fully sent; it is closed if the caller does not read them, or
// leaves too many requests unanswered.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Observe } from '../core/events.ts'
import { networkOf } from '../core/network.ts'
import { watchReader } from './slow-readers.ts'

export interface ConnectionLimitOptions {
  readonly most: number
  readonly mostInAll: number
  readonly isTrusted: (address: string) => boolean
  readonly observe: Observe
}

export interface ConnectionLimit {
  enter(socket: Socket): void
  busy(socket: Socket): void
  idle(socket: Socket): void
}

class Link {
  before: Link = this
  after: Link = this
  readonly socket: Socket | undefined

  constructor(socket?: Socket) {
    this.socket = socket
  }
}

/** A linked list, since each request takes its socket out and puts it back: a Set would make its table anew all the time, and the
 * old tables keep the newer ones until the next major collection. */
class SocketList {
  readonly #ends = new Link()

  get first(): Socket | undefined {
    return this.#ends.after.socket
  }

  append(link: Link) {
    this.remove(link)
    const last = this.#ends.before
    link.before = last
    link.after = this.#ends
    last.after = link
    this.#ends.before = link
  }

  /** nothing changes if it is in none */
  remove(link: Link) {
    link.before.after = link.after
    link.after.before = link.before
    link.before = link
    link.after = link
  }
}

interface Network {
  held: number
  /** without a request under way, longest idle first; an incomplete request is no activity */
  readonly idle: SocketList
}

interface Member {
  readonly name: string
  readonly network: Network
  /** its places among the idle sockets of its network, and of all */
  readonly places: { readonly ofNetwork: Link; readonly ofAll: Link }
}

class Register {
  /** undefined for those of trusted proxies */
  readonly members = new Map<Socket, Member | undefined>()
  readonly #networks = new Map<string, Network>()
  readonly idle = new SocketList()

  join(socket: Socket, from: string): Network {
    const name = networkOf(from)
    const network = this.#networks.get(name) ?? { held: 0, idle: new SocketList() }
    this.#networks.set(name, network)
    this.members.set(socket, { name, network, places: { ofNetwork: new Link(socket), ofAll: new Link(socket) } })
    network.held++
    this.markIdle(socket)
    return network
  }

  leave(socket: Socket) {
    const member = this.members.get(socket)
    this.markBusy(socket)
    this.members.delete(socket)
    if (member && --member.network.held === 0) this.#networks.delete(member.name)
  }

  markIdle(socket: Socket) {
    const member = this.members.get(socket)
    if (!member) return
    member.network.idle.append(member.places.ofNetwork)
    this.idle.append(member.places.ofAll)
  }

  markBusy(socket: Socket) {
    const member = this.members.get(socket)
    if (!member) return
    member.network.idle.remove(member.places.ofNetwork)
    this.idle.remove(member.places.ofAll)
  }
}

export function createConnectionLimit({
  most,
  mostInAll,
  isTrusted,
  observe,
}: ConnectionLimitOptions): ConnectionLimit {
  const register = new Register()

  /** the new socket is the last of the idle ones: it is closed if all others are busy */
  function makeRoom({ first: longest }: SocketList, from: string, sockets: number) {
    if (!longest) return
    register.leave(longest)
    longest.destroy()
    observe({ kind: 'crowded', from, sockets })
  }

  return {
    enter(socket) {
      const from = socket.remoteAddress ?? 'unknown'
      const { members, idle } = register
      socket.once('close', () => register.leave(socket))
      if (isTrusted(from)) return void members.set(socket, undefined)
      const network = register.join(socket, from)
      if (most > 0 && network.held > most) return makeRoom(network.idle, from, network.held)
      return members.size > mostInAll ? makeRoom(idle, from, members.size) : undefined
    },
    busy: (socket) => register.markBusy(socket),
    idle: (socket) => register.markIdle(socket),
  }
}

/** looked up once for a request */
export interface SocketState {
  /** not fully sent, oldest first; an array, since a Set makes its tables anew for nearly every request */
  readonly answers: ServerResponse[]
  /** no further request of it is read */
  isCut: boolean
  /** accepted after the drain began */
  isLate: boolean
}

export interface InFlight {
  readonly sockets: WeakMap<Duplex, SocketState>
  busy: number
  /** without those accepted after the drain began */
  open: number
  isDraining: boolean
}

export function stateOf(socket: Duplex, { sockets }: InFlight): SocketState {
  const known = sockets.get(socket)
  if (known) return known
  const state: SocketState = { answers: [], isCut: false, isLate: false }
  sockets.set(socket, state)
  return state
}

export function track(
  inFlight: InFlight,
  connectionLimit: ConnectionLimit,
  socket: Socket,
  { res, answers }: { readonly res: ServerResponse; readonly answers: ServerResponse[] },
) {
  if (answers.push(res) === 1) {
    inFlight.busy++
    connectionLimit.busy(socket)
  }
  res.on('prefinish', () => {
    // nearly every answer is in the kernel's buffer by now
    if (socket.writableLength > 0) watchReader(socket, res, socket.writableLength)
  })
  res.on('close', () => {
    answers.splice(answers.indexOf(res), 1)
    if (answers.length > 0) return
    inFlight.busy--
    if (!socket.destroyed) connectionLimit.idle(socket)
  })
}

const mostWaiting = 100

/** closes the socket after the answers to what was read from it */
export function cut(socket: Socket, state: SocketState) {
  state.isCut = true
  socket.pause()
  const last = state.answers.at(-1)
  if (last) {
    last.shouldKeepAlive = false
    last.once('close', () => socket.destroySoon())
  } else socket.destroySoon()
}

export function admitsOneMore(socket: Socket, state: SocketState): boolean {
  if (!state.isCut && state.answers.length >= mostWaiting) cut(socket, state)
  return !state.isCut
}
