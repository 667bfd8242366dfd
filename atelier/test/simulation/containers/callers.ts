// The callers of the service: each request is an event of the service's process, and its answer one of the world. A caller of a
// process that ends hears of it at once.
import { Acts } from './acts.ts'
import { Creations } from './creations.ts'
import type { Act, Create } from './plan.ts'
import type { Outcome, ServiceProcess } from './service.ts'
import type { ContainersWorld } from './world.ts'

/** a request to a service and an engine that work */
const promptMs = 5_000
const nearMs = 5_000
const travelMs = 1

interface Waiting {
  readonly name: string
  readonly begunAt: number
  readonly mostMs: number
  readonly wasSettled: boolean
  readonly wasAlone: boolean
  readonly wasWithoutEngine: boolean
  readonly unfinished: number
  readonly started: number
  readonly refused: number
  readonly asked: number
  readonly heard: Heard
}

/** from the beginning of a request to its end */
export interface Around {
  /** nothing was broken */
  readonly isSettled: boolean
  /** no other request began, and all was well save for the store, which did all, though it may have said otherwise */
  readonly isDone: boolean
  /** no other request was at work at either */
  readonly isAlone: boolean
  /** the engine was away at both */
  readonly isWithoutEngine: boolean
  /** rows of creations, and of containers that ran, at the beginning */
  readonly unfinished: number
  readonly started: number
}

export type Heard = (outcome: Outcome | undefined, around: Around) => void

export interface Ask {
  readonly name: string
  readonly act: (service: ServiceProcess) => Promise<Outcome>
  /** the sum of the time limits of its calls */
  readonly mostMs: number
  /** undefined: the process is gone */
  readonly heard: Heard
}

export class Callers {
  readonly #world: ContainersWorld
  readonly creations: Creations
  readonly acts: Acts
  readonly outcomes: Record<string, number> = {}
  readonly #waiting = new Set<Waiting>()
  #asked = 0
  /** when a caller last had an answer */
  activeAt = 0

  constructor(world: ContainersWorld) {
    this.#world = world
    this.creations = new Creations(world, this)
    this.acts = new Acts(world, this)
  }

  isBusy(): boolean {
    return this.#waiting.size > 0
  }

  /** a container is being made or removed */
  get isMaking(): boolean {
    return [...this.#waiting].some(({ name }) => name !== 'list')
  }

  create(item: Create) {
    this.creations.begin(item)
  }

  act(item: Act) {
    this.acts.begin(item)
  }

  ask({ name, act, mostMs, heard }: Ask) {
    const { simulation, node } = this.#world
    const wasSettled = this.#world.isSettled()
    if (node.isDown) {
      const around = {
        isSettled: false,
        isDone: false,
        isAlone: false,
        isWithoutEngine: false,
        unfinished: 0,
        started: 0,
      }
      simulation.after(travelMs, () => heard(undefined, around), simulation.world)
      return
    }
    const wasAlone = this.#waiting.size === 0
    const { unfinished, started } = this.#world.rows
    const { refused } = this.#world.store
    const wasWithoutEngine = this.#world.engine.node.isDown
    const before = { wasSettled, wasAlone, wasWithoutEngine, unfinished, started, refused, asked: this.#asked + 1 }
    const own = { name, begunAt: simulation.now, mostMs, ...before, heard }
    this.#waiting.add(own)
    this.#asked++
    const answer = (outcome: Outcome) =>
      void simulation.after(travelMs, () => this.#settle(own, outcome), simulation.world)
    const run = () => {
      const { service } = this.#world
      if (service) act(service).then(answer).catch(this.#world.failed)
    }
    simulation.after(travelMs, run, node)
  }

  #settle(own: Waiting, outcome: Outcome | undefined) {
    if (!this.#waiting.delete(own)) return
    const { simulation, faults, node } = this.#world
    const isSettled = own.wasSettled && this.#world.isSettled()
    const code = outcome?.code ?? 'gone'
    this.outcomes[code] = (this.outcomes[code] ?? 0) + 1
    this.activeAt = simulation.now
    simulation.tell(`${own.name}: ${code}`, simulation.world)
    const tookMs = Math.round(simulation.now - own.begunAt)
    const mostMs = isSettled ? promptMs : own.mostMs
    if (tookMs > mostMs && !faults.wasStopped(node, tookMs))
      this.#world.break(`a caller hears within ${mostMs} ms, and not after ${tookMs} ms`)
    if (isSettled && outcome && outcome.status >= 500)
      this.#world.break(`a service and an engine that work answer, and not ${code}`)
    const isStoreAlone = faults.isQuiet(tookMs + nearMs, ({ kind }) => !kind.startsWith('store '))
    own.heard(outcome, {
      isSettled,
      isDone: isStoreAlone && this.#world.store.refused === own.refused && this.#asked === own.asked,
      isAlone: own.wasAlone && this.#waiting.size === 0,
      isWithoutEngine: own.wasWithoutEngine && this.#world.engine.node.isDown,
      unfinished: own.unfinished,
      started: own.started,
    })
  }

  serviceEnded() {
    const { simulation } = this.#world
    for (const own of this.#waiting) simulation.after(travelMs, () => this.#settle(own, undefined), simulation.world)
    this.acts.serviceEnded()
  }

  /** those that are left when all is over */
  checkNone() {
    for (const { name, begunAt, mostMs } of this.#waiting)
      if (this.#world.simulation.now - begunAt > mostMs) this.#world.break(`a caller has an answer in the end: ${name}`)
  }
}
