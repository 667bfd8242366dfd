// What is promised of a replica that does not reach Redis: of what the platform last reported it takes its part, and where that is
// less than one call, it makes none until a minute later.
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import type { QuotaWorld } from './world.ts'

/** an answer of Redis from before may still allow a call; and when a report is old enough to be tested */
const [answerMs, testMs] = [1_000, 55_000]
const hourMs = 3_600_000
/** how much later than an hour a call may leave it */
const slotMs = 70_000

interface Known {
  readonly at: number
  readonly left: number
}

export class Alone {
  readonly #world: QuotaWorld
  readonly #since = new Map<SimulatedNode, number>()
  readonly #reports = new Map<SimulatedNode, Known>()
  readonly #calls = new Map<SimulatedNode, number[]>()

  constructor(world: QuotaWorld) {
    this.#world = world
  }

  linked(node: SimulatedNode, isUp: boolean) {
    this.#reports.delete(node)
    if (isUp) this.#since.delete(node)
    else this.#since.set(node, this.#world.simulation.now)
  }

  heard(node: SimulatedNode, left: number) {
    const at = this.#world.simulation.now
    if (at > (this.#since.get(node) ?? Infinity) + answerMs) this.#reports.set(node, { at, left })
  }

  begins(node: SimulatedNode) {
    const { plan, simulation } = this.#world
    const { now } = simulation
    const [report, calls] = [this.#reports.get(node), this.#calls.get(node) ?? []]
    const leaves = (at: number) => at + hourMs - slotMs < now && at + hourMs + slotMs > (report?.at ?? 0)
    if (report && now - report.at < testMs && report.left < plan.replicas && !calls.some(leaves))
      this.#world.break(`a replica alone has its part of ${report.left} calls, which is none`)
    this.#calls.set(node, [...calls.filter((at) => at + hourMs + slotMs > now), now])
  }
}
