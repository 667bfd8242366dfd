// A connection of the simulated network as node:http wants one, so that the product's engine client runs itself.
import { Agent } from 'node:http'
import { Duplex } from 'node:stream'
import type { Network } from '../../../../base/test/simulator/network.ts'
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import { runningNode } from '../../../../base/test/simulator/simulation.ts'
import type { SimulatedSocket } from '../../../../base/test/simulator/socket.ts'

type Done = (error?: Error | null) => void

class EngineConnection extends Duplex {
  readonly #socket: SimulatedSocket
  #isOpen = false

  constructor(socket: SimulatedSocket) {
    super({ allowHalfOpen: false })
    this.#socket = socket
    socket.once('connect', () => {
      this.#isOpen = true
      this.emit('connect')
    })
    socket.on('error', (error) => this.destroy(error))
    socket.on('data', (piece) => this.push(piece))
    socket.on('end', () => this.push(null))
    socket.on('close', () => this.destroy())
  }

  override _read() {}

  override _write(piece: Buffer, _encoding: string, done: Done) {
    this.#whenOpen(() => {
      this.#socket.write(piece)
      done()
    })
  }

  override _final(done: Done) {
    this.#whenOpen(() => {
      this.#socket.end()
      done()
    })
  }

  #whenOpen(act: () => void) {
    if (this.#isOpen) act()
    else this.#socket.once('connect', act)
  }

  override _destroy(error: Error | null, done: Done) {
    this.#socket.destroy()
    done(error)
  }

  setTimeout(): this {
    return this
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

const connectReally = Reflect.get(Agent.prototype, 'createConnection') as (...given: readonly unknown[]) => Duplex

/** connections that agents open inside a simulation lead to its engine from now on */
export function useEngineNetwork(network: Network, engine: SimulatedNode) {
  const createConnection = function (this: Agent, ...given: readonly unknown[]): Duplex {
    const node = runningNode()
    if (!node) return connectReally.apply(this, [...given])
    const socket = network.connect(node, engine.name)
    // nobody listens at the path of a process that is gone
    if (engine.isDown) socket.fail('ECONNREFUSED')
    return new EngineConnection(socket)
  }
  Object.assign(Agent.prototype, { createConnection })
}
