// The network between named nodes: streams of bytes, as of TCP, and single messages. A path between two nodes may be slow, lose,
// repeat, or be cut in one direction or both.
import type { SimulatedNode } from './node.ts'
import type { Random } from './random.ts'
import { type Carrier, SimulatedSocket, type Stream } from './socket.ts'
import type { Simulation } from './simulation.ts'

export interface Path {
  delayMs: readonly [least: number, most: number]
  /** a lost piece of a stream comes again after a timeout; a lost message never comes */
  loss: number
  /** of messages */
  repeats: number
  isCut: boolean
  /** pieces of streams are split, so that no end sees a command or an answer in one */
  splits: number
}

export const wholePath = (): Path => ({ delayMs: [0.2, 1.5], loss: 0, repeats: 0, isCut: false, splits: 0 })

export type Accept = (socket: SimulatedSocket) => void

/** how long after a loss a piece is sent again */
const againMs = [200, 400] as const

export class Network implements Carrier {
  readonly simulation: Simulation
  readonly #random: Random
  readonly #paths = new Map<number, Path>()
  readonly #servers = new Map<
    string,
    { readonly node: SimulatedNode; readonly accept: Accept; readonly life: number }
  >()
  readonly #addresses = new Map<string, string>()
  readonly #sockets = new Map<SimulatedNode, Set<SimulatedSocket>>()
  /** what a cut path holds back: streams are sent again once it is whole */
  readonly #held = new Map<Path, (() => void)[]>()

  constructor(simulation: Simulation) {
    this.simulation = simulation
    this.#random = simulation.random.fork('network')
  }

  path(from: SimulatedNode, to: SimulatedNode): Path {
    const key = from.index * 1_024 + to.index
    const known = this.#paths.get(key)
    if (known) return known
    const path = wholePath()
    this.#paths.set(key, path)
    return path
  }

  /** one direction only leaves the other: what is sent arrives, and no answer comes back */
  cut(from: SimulatedNode, to: SimulatedNode, isOneWay = false) {
    this.path(from, to).isCut = true
    if (!isOneWay) this.path(to, from).isCut = true
  }

  heal(from: SimulatedNode, to: SimulatedNode) {
    for (const path of [this.path(from, to), this.path(to, from)]) {
      path.isCut = false
      this.simulation.after(this.#random.between(10, 1_000), () => this.#sendHeld(path), this.simulation.world)
    }
  }

  #sendHeld(path: Path) {
    const held = this.#held.get(path) ?? []
    if (path.isCut) return
    this.#held.delete(path)
    for (const send of held) send()
  }

  #delay(path: Path): number {
    const lostMs = path.loss > 0 && this.#random.chance(path.loss) ? this.#random.between(...againMs) : 0
    return this.#random.between(...path.delayMs) + lostMs
  }

  /** of a stream: in order, and held back while the path is cut */
  carry(from: SimulatedNode, to: SimulatedNode, stream: Stream, arrive: () => void) {
    const path = this.path(from, to)
    const held = this.#held.get(path)
    if (path.isCut || held) {
      const send = () => this.carry(from, to, stream, arrive)
      if (held) held.push(send)
      else this.#held.set(path, [send])
      return
    }
    stream.lastArrival = Math.max(stream.lastArrival, this.simulation.now + this.#delay(path))
    this.simulation.at(stream.lastArrival, to, arrive, 'received')
  }

  /** a single message, as a request of its own connection: it may be lost, or arrive twice */
  send(from: SimulatedNode, to: SimulatedNode, arrive: () => void) {
    const path = this.path(from, to)
    const count = path.repeats > 0 && this.#random.chance(path.repeats) ? 2 : 1
    for (let i = 0; i < count; i++)
      if (!path.isCut && !(path.loss > 0 && this.#random.chance(path.loss)))
        this.simulation.at(this.simulation.now + this.#random.between(...path.delayMs), to, arrive, 'received')
  }

  splitsAt(from: SimulatedNode, to: SimulatedNode, length: number): number {
    const { splits } = this.path(from, to)
    return splits > 0 && length > 1 && this.#random.chance(splits) ? 1 + this.#random.below(length - 1) : 0
  }

  listen(node: SimulatedNode, accept: Accept) {
    this.#servers.set(node.name, { node, accept, life: node.life })
  }

  /** an address that leads to another node from now on, as a name or a proxy does */
  redirect(address: string, node: SimulatedNode) {
    this.#addresses.set(address, node.name)
  }

  socket(from: SimulatedNode): SimulatedSocket {
    return new SimulatedSocket(this, from)
  }

  connect(from: SimulatedNode, host: string): SimulatedSocket {
    return this.socket(from).connect(0, host)
  }

  dial(own: SimulatedSocket, address: string) {
    const host = this.#addresses.get(address) ?? address
    const server = this.#servers.get(host)
    if (!server) throw new Error(`${host} is no node of the simulation`)
    const from = own.node
    const other = own.pairAt(server.node)
    const [there, back] = [{ lastArrival: 0 }, { lastArrival: 0 }]
    const { life } = from
    const refuse = () => own.fail('ECONNREFUSED')
    this.carry(from, server.node, there, () => {
      // the process that asked is gone
      if (from.life !== life) return undefined
      const now = this.#servers.get(host)
      if (now?.life !== server.node.life) return this.carry(server.node, from, back, refuse)
      this.#keep(own)
      this.#keep(other)
      now.accept(other)
      return this.carry(server.node, from, back, () => own.open())
    })
  }

  #keep(socket: SimulatedSocket) {
    const sockets = this.#sockets.get(socket.node) ?? new Set()
    this.#sockets.set(socket.node, sockets.add(socket))
  }

  forget(socket: SimulatedSocket) {
    this.#sockets.get(socket.node)?.delete(socket)
  }

  /** The connections of a process that ended are reset; of a machine that vanished, the other ends hear nothing. */
  dropAll(node: SimulatedNode, isSilent: boolean) {
    for (const socket of this.#sockets.get(node) ?? []) socket.drop(isSilent)
    this.#sockets.delete(node)
  }

  /** resets the connections between two nodes, as a proxy does that leads elsewhere from now on */
  disconnect(a: SimulatedNode, b: SimulatedNode) {
    for (const socket of this.#sockets.get(a) ?? []) if (socket.peerNode === b) socket.destroy()
  }

  /** nothing listens at a node that is down: a connection is refused, unless the machine is gone */
  close(node: SimulatedNode) {
    const server = this.#servers.get(node.name)
    if (server) this.#servers.set(node.name, { ...server, life: -1 })
  }
}
