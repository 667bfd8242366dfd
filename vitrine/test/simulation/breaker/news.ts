// What replicas must have heard of each other, and how much they may tell, counted apart from the product's news.
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import { isOfPlatform, type PlannedFault } from './plan.ts'
import type { OtherReplicas } from './promises.ts'
import type { Outcome } from './replica.ts'
import type { BreakerWorld } from './world.ts'

/** an answer is heard of by then, once nothing was broken for so long */
const [heardMs, settledMs] = [1_000, 30_000]

export class News {
  readonly #world: BreakerWorld
  /** the failures that others told a replica, without the answers that it told */
  readonly #owed = new Map<SimulatedNode, number>()
  /** when each replica told the others of an answer */
  readonly #toldAt = new Map<SimulatedNode, number[]>()

  constructor(world: BreakerWorld) {
    this.#world = world
  }

  othersOf(node: SimulatedNode): OtherReplicas {
    const others = () => [...this.#world.replicas].filter(([other]) => other !== node)
    return {
      answeredAt: () => Math.max(...others().map(([, { answers }]) => answers.at(-1) ?? -Infinity)),
      isHeard: (sinceMs) => {
        const { now } = this.#world.simulation
        // where the replica itself told of an answer first, others do not tell of theirs
        const ownAt = this.#toldAt.get(node)?.find((at) => at > sinceMs) ?? now
        const isBetween = (at: number) => at > sinceMs + heardMs && at < Math.min(ownAt, now - heardMs)
        const isWhole = (one: SimulatedNode) => sinceMs > settledMs && this.#isWhole(one, now - sinceMs + settledMs)
        return isWhole(node) && others().some(([other, { answers }]) => answers.some(isBetween) && isWhole(other))
      },
    }
  }

  #isWhole({ name }: SimulatedNode, forMs: number): boolean {
    const concerns = (fault: PlannedFault) =>
      !isOfPlatform(fault) && (fault.node === name || fault.node === this.#world.redis.node.name)
    return this.#world.faults.isQuiet(forMs, concerns)
  }

  /** each failure is told to the others, who each tell at most one answer after it */
  told(by: SimulatedNode, outcome: Outcome) {
    const owed = (node: SimulatedNode, more: number) => this.#owed.set(node, (this.#owed.get(node) ?? 0) + more)
    if (outcome === 'alive') {
      owed(by, -1)
      this.#toldAt.set(by, [...(this.#toldAt.get(by) ?? []), this.#world.simulation.now])
    }
    if (outcome === 'down') for (const node of this.#world.replicas.keys()) if (node !== by) owed(node, 1)
    if ((this.#owed.get(by) ?? 0) < 0)
      this.#world.break('an answer is told to other replicas only after one of them told of a failure')
  }
}
