// Clocks, timers, randomness and sockets of Node, replaced for the process: inside an event of a simulation they are those of
// the event's node, else the real ones. Product code needs no port for it.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import timersPromises from 'node:timers/promises'
import type { Network } from './network.ts'
import type { SimulatedNode } from './node.ts'
import type { OnRead } from './socket.ts'
import { runningNode, runningSimulation, type SimulatedEvent, type Simulation } from './simulation.ts'

type Callback = (...values: readonly unknown[]) => void

const longestMs = 2 ** 31 - 1
const lengthOf = (ms: unknown): number => (Number(ms) >= 1 && Number(ms) <= longestMs ? Math.trunc(Number(ms)) : 1)

class SimulatedTimer {
  readonly #simulation: Simulation
  readonly #node: SimulatedNode
  readonly #act: () => void
  readonly #ms: number
  readonly #repeats: boolean
  #event: SimulatedEvent | undefined

  constructor(simulation: Simulation, node: SimulatedNode, act: () => void, ms: number, repeats: boolean) {
    this.#simulation = simulation
    this.#node = node
    this.#act = act
    this.#ms = ms
    this.#repeats = repeats
    this.refresh()
  }

  refresh(): this {
    this.close()
    this.#event = this.#simulation.after(this.#node.trueMs(this.#ms), () => this.#fire(), this.#node)
    return this
  }

  #fire() {
    this.#event = undefined
    if (this.#repeats) this.refresh()
    this.#act()
  }

  close(): this {
    if (this.#event) this.#event.run = undefined
    this.#event = undefined
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  hasRef(): boolean {
    return true
  }
}

function timer(act: Callback, ms: unknown, values: readonly unknown[], repeats: boolean): SimulatedTimer | undefined {
  const [simulation, node] = [runningSimulation(), runningNode()]
  if (!simulation || !node) return undefined
  return new SimulatedTimer(simulation, node, values.length > 0 ? () => act(...values) : act, lengthOf(ms), repeats)
}

function immediate(act: Callback, values: readonly unknown[]): SimulatedEvent | undefined {
  const [simulation, node] = [runningSimulation(), runningNode()]
  return simulation?.at(simulation.now, node as SimulatedNode, () => act(...values), 'immediate')
}

const realDate = Date
/** a Date whose present is that of the node */
const SimulatedDate: DateConstructor = new Proxy(realDate, {
  construct: (target, values: [], self): object =>
    Reflect.construct(
      target,
      values.length === 0 ? [dateNow()] : values,
      self === SimulatedDate ? target : self,
    ) as object,
  get: (target, name) => (name === 'now' ? dateNow : (Reflect.get(target, name) as unknown)),
})
const realNow = realDate.now
const dateNow = (): number => runningNode()?.now() ?? realNow()

let network: Network | undefined
/** whose connections product code opens from now on */
export const useNetwork = (one: Network) => void (network = one)

const real = {
  setTimeout,
  setInterval,
  setImmediate,
  clearTimeout,
  clearInterval,
  clearImmediate,
  random: Math.random,
  performanceNow: performance.now.bind(performance),
  connect: net.connect,
  pause: timersPromises.setTimeout,
  randomBytes: crypto.randomBytes,
  randomUUID: crypto.randomUUID,
  randomInt: crypto.randomInt,
}

const clear =
  (clearReal: (timer: never) => void) =>
  (given: unknown): void => {
    if (given instanceof SimulatedTimer) given.close()
    else clearReal(given as never)
  }

const timers = {
  setTimeout: (act: Callback, ms?: number, ...values: readonly unknown[]) =>
    timer(act, ms, values, false) ?? real.setTimeout(act, ms, ...values),
  setInterval: (act: Callback, ms?: number, ...values: readonly unknown[]) =>
    timer(act, ms, values, true) ?? real.setInterval(act, ms, ...values),
  setImmediate: (act: Callback, ...values: readonly unknown[]) =>
    immediate(act, values) ?? real.setImmediate(act, ...values),
  clearTimeout: clear(real.clearTimeout),
  clearInterval: clear(real.clearInterval),
}

function uuidOf(bytes: Buffer): string {
  bytes[6] = ((bytes[6] ?? 0) & 15) | 64
  bytes[8] = ((bytes[8] ?? 0) & 63) | 128
  return bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')
}

const random = {
  randomBytes: (count: number, ...rest: readonly never[]) =>
    runningNode()?.random.bytes(count) ??
    (real.randomBytes as (count: number, ...rest: readonly never[]) => Buffer)(count, ...rest),
  randomUUID: () => {
    const node = runningNode()
    return node ? uuidOf(node.random.bytes(16)) : real.randomUUID()
  },
}

function connect(options: { readonly host: string; readonly onread?: OnRead }) {
  const node = runningNode()
  if (!node || !network) return (real.connect as unknown as (options: object) => unknown)(options)
  const socket = network.connect(node, options.host)
  socket.onRead = options.onread
  return socket
}

/** a socket that is connected later, as the client of PostgreSQL makes it */
const SimulatedSocketClass: typeof net.Socket = new Proxy(net.Socket, {
  construct(target, values, self): object {
    const node = runningNode()
    return node && network ? network.socket(node) : (Reflect.construct(target, values, self) as object)
  },
})

const pause = async (ms: number, value: unknown, options: object) =>
  runningNode() ? new Promise((ok) => timers.setTimeout(() => ok(value), ms)) : real.pause(ms, value, options)

let isReplaced = false

export function replaceGlobals() {
  if (isReplaced) return
  isReplaced = true
  Object.assign(globalThis, { ...timers, Date: SimulatedDate })
  Math.random = () => runningNode()?.random.next() ?? real.random()
  performance.now = () => runningNode()?.steady() ?? real.performanceNow()
  Object.assign(crypto, random)
  Object.assign(net, { connect, createConnection: connect, Socket: SimulatedSocketClass })
  Object.assign(timersPromises, { setTimeout: pause })
  syncBuiltinESMExports()
}
