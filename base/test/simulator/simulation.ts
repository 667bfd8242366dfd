// The simulation of several processes in one: a queue of events in virtual time, each of one node. Microtasks end between two
// events, so all that runs until the next event is of the same node.
import { EventQueue } from './event-queue.ts'
import { SimulatedNode } from './node.ts'
import { hashOf, Random } from './random.ts'

/** what a process does first after a pause: its timers, then what it received, then its immediates */
type Kind = 'timer' | 'received' | 'immediate'

export interface SimulatedEvent {
  at: number
  readonly order: number
  readonly node: SimulatedNode
  readonly life: number
  readonly kind: Kind
  run: (() => void) | undefined
}

export interface Told {
  readonly at: number
  readonly node: string
  readonly text: string
}

const realImmediate = setImmediate
/** events whose microtasks Node runs before the next, without a turn of its loop */
const batch = 512

/** the simulation whose event runs, for the globals that product code uses */
let running: Simulation | undefined
export const runningNode = (): SimulatedNode | undefined => running?.current
export const runningSimulation = (): Simulation | undefined => (running?.current ? running : undefined)

export class Simulation {
  readonly random: Random
  readonly world: SimulatedNode
  readonly story: Told[] = []
  readonly #nodes: SimulatedNode[] = []
  readonly #queue = new EventQueue<SimulatedEvent>()
  readonly #asleep = new Map<SimulatedNode, SimulatedEvent[]>()
  #order = 0
  #hash = 0x811c9dc5
  now = 0
  events = 0
  current: SimulatedNode | undefined
  failure: unknown

  constructor(seed: number) {
    this.random = new Random(seed)
    this.world = this.addNode('world')
  }

  addNode(name: string): SimulatedNode {
    const node = new SimulatedNode(name, this.#nodes.length, this.random.fork(name), () => this.now)
    this.#nodes.push(node)
    return node
  }

  /** one number for all that happened: equal for two runs that did the same in the same order */
  get hash(): number {
    return this.#hash
  }

  note(value: number) {
    this.#hash = Math.imul(this.#hash ^ value, 0x01000193) >>> 0
  }

  tell(text: string, node: SimulatedNode = this.current ?? this.world) {
    this.note(hashOf(text))
    this.story.push({ at: this.now, node: node.name, text })
  }

  at(when: number, node: SimulatedNode, run: () => void, kind: Kind = 'timer'): SimulatedEvent {
    const event = { at: Math.max(when, this.now), order: this.#order++, node, life: node.life, kind, run }
    this.#queue.add(event)
    return event
  }

  after(ms: number, run: () => void, node: SimulatedNode = this.current ?? this.world): SimulatedEvent {
    return this.at(this.now + ms, node, run)
  }

  /** nothing of it runs until it wakes; then what was due runs in the order of its loop */
  stop(node: SimulatedNode) {
    node.isStopped = true
  }

  wake(node: SimulatedNode) {
    node.isStopped = false
    const due = this.#asleep.get(node) ?? []
    this.#asleep.delete(node)
    for (const kind of ['timer', 'received', 'immediate'] as const)
      for (const event of due)
        if (event.kind === kind)
          this.#queue.add({ ...event, at: this.now, order: this.#order++, run: () => event.run?.() })
  }

  /** ends this life of a node: nothing that it planned happens, and nothing reaches it until it starts again */
  kill(node: SimulatedNode) {
    node.life++
    node.isDown = true
    node.isStopped = false
    this.#asleep.delete(node)
  }

  start(node: SimulatedNode, run: () => void) {
    node.isDown = false
    this.after(0, run, node)
  }

  /** timers that a node has set, and that wait */
  timersOf(node: SimulatedNode): number {
    const isOne = (event: SimulatedEvent) => event.node === node && event.life === node.life && event.kind === 'timer'
    return this.#queue.all().filter((event) => isOne(event) && event.run !== undefined).length
  }

  /** when the next event of the world is due, which no node brings about */
  nextOfWorld(): number {
    let next = Infinity
    for (const { at, node, run } of this.#queue.all()) if (node === this.world && run && at < next) next = at
    return next
  }

  /**
   * Leaves out time in which nothing happens but what repeats: what nodes plan until then is so much later. False while a message
   * is under way, since a later one could overtake it, or a node has something to do now.
   */
  skipTo(when: number): boolean {
    const isDue = ({ kind, at, node }: SimulatedEvent) => kind === 'received' || (at <= this.now && node !== this.world)
    if (this.#queue.all().some((event) => event.run && isDue(event))) return false
    const events = this.#queue.drain()
    for (const event of events)
      this.#queue.add(
        event.node === this.world || event.at >= when ? event : this.#moved(event, event.at + when - this.now),
      )
    return true
  }

  #moved(event: SimulatedEvent, at: number): SimulatedEvent {
    event.at = at
    return event
  }

  /** until this moment, or until a promise is broken */
  run(untilMs: number): Promise<void> {
    const begin = (one: Simulation | undefined) => (running = one)
    begin(this)
    return new Promise((ended) => {
      let left = 0
      let isOver = false
      const turn = () => {
        if (isOver) return
        left--
        const goesOn = this.failure === undefined && this.#step(untilMs)
        if (goesOn && left === 0) plan()
        else if (!goesOn) {
          isOver = true
          begin(undefined)
          ended()
        }
      }
      const plan = () => {
        left = batch
        for (let i = 0; i < batch; i++) realImmediate(turn)
      }
      plan()
    })
  }

  #step(untilMs: number): boolean {
    this.current = undefined
    const event = this.#queue.first()
    if (!event || event.at > untilMs) {
      this.now = untilMs
      return false
    }
    this.#queue.take()
    const { node, run, life } = event
    if (!run || life !== node.life || node.isDown) return true
    this.now = event.at
    if (node.isStopped) {
      const due = this.#asleep.get(node)
      if (due) due.push(event)
      else this.#asleep.set(node, [event])
      return true
    }
    this.events++
    this.note(event.order)
    this.note(node.index)
    this.current = node
    event.run = undefined
    try {
      run()
    } catch (error) {
      this.failure = error
    }
    return true
  }
}
