// One end of a simulated connection, with the part of a socket of Node that clients and servers use.
import { EventEmitter } from 'node:events'
import type { SimulatedNode } from './node.ts'
import type { Simulation } from './simulation.ts'

/** one direction of a connection */
export interface Stream {
  lastArrival: number
}

/** the network, as a connection sees it */
export interface Carrier {
  readonly simulation: Simulation
  carry(from: SimulatedNode, to: SimulatedNode, stream: Stream, arrive: () => void): void
  splitsAt(from: SimulatedNode, to: SimulatedNode, length: number): number
  dial(own: SimulatedSocket, host: string): void
  forget(socket: SimulatedSocket): void
}

interface SocketEvents {
  connect: []
  data: [Buffer]
  end: []
  close: []
  error: [Error]
}

/** texts are of single bytes here: others are encoded when they are written */
export const bytesOf = (piece: Buffer | string): string =>
  typeof piece === 'string' && Buffer.byteLength(piece) === piece.length ? piece : Buffer.from(piece).toString('latin1')

/** as the option of `net.connect`: takes the place of `data` */
export interface OnRead {
  readonly buffer: Buffer
  callback(size: number): boolean
}

export class SimulatedSocket extends EventEmitter<SocketEvents> {
  readonly #network: Carrier
  readonly node: SimulatedNode
  readonly #life: number
  #peer!: SimulatedSocket
  readonly #stream: Stream = { lastArrival: 0 }
  /** what was written in this event, on its way as one piece */
  #piece: { readonly texts: string[]; readonly at: number; readonly event: number } | undefined
  /** the second part of a piece that was split */
  #late = ''
  /** what is written while it is corked */
  #held: string[] = []
  writableCorked = 0
  destroyed = false
  writableEnded = false
  /** takes the place of `data` for servers, without a Buffer */
  onText: ((text: string) => void) | undefined
  onRead: OnRead | undefined

  constructor(network: Carrier, node: SimulatedNode) {
    super()
    this.#network = network
    this.node = node
    this.#life = node.life
  }

  connect(_port: number, host: string): this {
    this.#network.dial(this, host)
    return this
  }

  /** the other end, at this node */
  pairAt(node: SimulatedNode): SimulatedSocket {
    const other = new SimulatedSocket(this.#network, node)
    this.#peer = other
    other.#peer = this
    // until a server has it
    other.on('error', () => undefined)
    return other
  }

  get peerNode(): SimulatedNode {
    return this.#peer.node
  }

  get writable(): boolean {
    return !this.destroyed && !this.writableEnded
  }

  open() {
    if (!this.destroyed) this.emit('connect')
  }

  /** `taken`: the system has it, whatever becomes of it */
  write(piece: Buffer | string, taken?: () => void): boolean {
    if (taken) queueMicrotask(taken)
    return this.writeBytes(bytesOf(piece))
  }

  /** a string of bytes */
  writeBytes(text: string): boolean {
    if (!this.writable) return false
    if (this.writableCorked > 0) {
      this.#held.push(text)
      return true
    }
    const { simulation } = this.#network
    if (this.#piece?.event === simulation.events && this.#piece.at === simulation.now) {
      this.#piece.texts.push(text)
      return true
    }
    const sent = { texts: [text], at: simulation.now, event: simulation.events }
    this.#piece = sent
    this.#carry(() => this.#peer.#receive(sent.texts))
    return true
  }

  cork() {
    this.writableCorked++
  }

  uncork() {
    if (this.writableCorked > 0) this.writableCorked--
    if (this.writableCorked > 0 || this.#held.length === 0) return
    const held = this.#held.join('')
    this.#held = []
    this.writeBytes(held)
  }

  #carry(arrive: () => void) {
    const peer = this.#peer
    const reset = () => this.#network.carry(peer.node, this.node, peer.#stream, () => this.fail('ECONNRESET'))
    this.#network.carry(this.node, peer.node, this.#stream, () => {
      if (peer.node.life === peer.#life) arrive()
      // the machine is back, and knows nothing of this connection
      else reset()
    })
  }

  #receive(texts: readonly string[]) {
    const text = this.#late + texts.join('')
    this.#network.simulation.note(text.length)
    const at = this.#network.splitsAt(this.#peer.node, this.node, text.length)
    this.#late = ''
    if (at === 0) return this.#deliver(text)
    this.#late = text.slice(at)
    this.#network.simulation.at(this.#network.simulation.now, this.node, () => this.#receiveLate(), 'received')
    return this.#deliver(text.slice(0, at))
  }

  #receiveLate() {
    const late = this.#late
    this.#late = ''
    if (late !== '') this.#deliver(late)
  }

  #deliver(text: string) {
    if (this.destroyed) return
    if (this.onText) this.onText(text)
    else if (this.onRead) this.#read(text, this.onRead)
    else this.emit('data', Buffer.from(text, 'latin1'))
  }

  #read(text: string, onRead: OnRead) {
    const { buffer } = onRead
    for (let at = 0; at < text.length; at += buffer.length)
      onRead.callback(buffer.write(text.slice(at, at + buffer.length), 'latin1'))
  }

  /** sends the end after all that was written */
  end(): this {
    if (!this.writable) return this
    this.writableCorked = 0
    this.uncork()
    this.writableEnded = true
    this.#carry(() => this.#peer.#ended())
    return this
  }

  #ended() {
    if (this.destroyed) return
    this.emit('end')
    this.end()
    this.#close()
  }

  destroy(error?: Error): this {
    if (this.destroyed) return this
    this.#carry(() => this.#peer.fail('ECONNRESET'))
    this.#close(error)
    return this
  }

  resetAndDestroy(): this {
    return this.destroy()
  }

  #close(error?: Error) {
    if (this.destroyed) return
    this.destroyed = true
    this.#network.forget(this)
    const { simulation } = this.#network
    simulation.at(
      simulation.now,
      this.node,
      () => {
        if (error) this.emit('error', error)
        this.emit('close')
      },
      'received',
    )
  }

  fail(code: string) {
    this.#close(Object.assign(new Error(`connection failed: ${code}`), { code }))
  }

  /** the process of this end is gone */
  drop(isSilent: boolean) {
    if (!this.destroyed && !isSilent) this.#carry(() => this.#peer.fail('ECONNRESET'))
    this.destroyed = true
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }
}
