// What is promised of a replica that is new, or was away from Redis: until a call from after its first request has its answer, calls
// go one at a time over all replicas, and of what is left as many are held back as all replicas may have in flight.
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import { holdMs, messageMs, mostInFlight } from './plan.ts'
import type { QuotaWorld } from './world.ts'

/** a call so old keeps no other from trying */
const hangMs = 2_000

/** a call of the platform */
export interface UnderWay {
  readonly node: SimulatedNode
  readonly at: number
  isOver: boolean
}

export class Doubt {
  readonly #world: QuotaWorld
  /** replicas that made no call since they use Redis, and since when they have a caller */
  readonly #fresh = new Map<SimulatedNode, number | undefined>()
  /** when the calls began that had their answers since */
  #answeredFrom = Number.NEGATIVE_INFINITY
  #first: UnderWay | undefined
  /** when its replica first had a caller */
  #firstAskedAt = 0
  #heldUntil = 0
  #tests = 0

  constructor(world: QuotaWorld) {
    this.#world = world
  }

  /** it uses Redis from now on; callers that wait may have asked already, and then nothing is known */
  appeared(node: SimulatedNode, hasCallers: boolean) {
    if (hasCallers) this.#fresh.delete(node)
    else this.#fresh.set(node, undefined)
  }

  asked(node: SimulatedNode) {
    if (this.#fresh.has(node)) this.#fresh.set(node, this.#fresh.get(node) ?? this.#world.simulation.now)
  }

  answered({ at }: UnderWay) {
    this.#answeredFrom = Math.max(this.#answeredFrom, at)
  }

  begins(call: UnderWay) {
    const { simulation, bound } = this.#world
    const [{ now }, first, askedAt] = [simulation, this.#first, this.#fresh.get(call.node)]
    this.#fresh.delete(call.node)
    if (!this.#isCalm()) {
      this.#first = undefined
      this.#heldUntil = 0
      return
    }
    const isDoubted = this.#answeredFrom < this.#firstAskedAt
    if (first && !first.isOver && isDoubted && now > first.at + messageMs && now < first.at + hangMs - messageMs)
      this.#world.break('after a doubt, one call over all replicas runs until it has its answer')
    if (bound.isWhole(now) && now < this.#heldUntil - messageMs) this.#checkHeld()
    if (askedAt === undefined || this.#answeredFrom >= askedAt - messageMs) return
    this.#first = call
    this.#firstAskedAt = askedAt
    this.#heldUntil = askedAt + holdMs
    this.#tests = 0
  }

  #isCalm(): boolean {
    const { plan, bound, simulation, faults } = this.#world
    const counts = ({ kind, node }: { readonly kind: string; readonly node: string }) =>
      node !== 'platform' && kind !== 'kill' && kind !== 'vanish'
    return plan.hasRedis && bound.isSettled(simulation.now, messageMs) && faults.isQuiet(5_000, counts)
  }

  #checkHeld() {
    const { plan, platform, oracles } = this.#world
    const isKnown = (oracles.known()?.hour ?? -1) >= 0
    if (!isKnown || platform.counts.left() > mostInFlight(plan)) return
    if (++this.#tests > 1) this.#world.break('after a doubt, calls are held back for those that may be in flight')
  }
}
