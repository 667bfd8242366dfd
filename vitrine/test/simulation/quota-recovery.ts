// What is promised for the time after all faults: within 90 s every free call can be had, callers have their answers, what was
// reserved and not used is given back, and the quota in Redis is what the platform counts.
import type { SimulatedNode } from '../../../base/test/simulator/node.ts'
import { concurrencyPerReplica } from '../../src/replicas/shared-scheduler.ts'
import type { Callers } from './quota-callers.ts'
import type { Replica } from './quota-replica.ts'
import type { QuotaWorld } from './quota-world.ts'

/** the longest pause after a 429, and the longest doubt about a Redis, with time for the calls that test */
export const recoveryMs = 90_000
/** by then calls under way have ended, and what was reserved for dead callers is no longer held */
const settledMs = 45_000
const patienceMs = 20_000

export class Recovery {
  readonly #world: QuotaWorld
  readonly #callers: Callers
  /** as the platform counted when it last answered */
  #leftThen: number | undefined

  constructor(world: QuotaWorld, callers: Callers) {
    this.#world = world
    this.#callers = callers
  }

  begin() {
    const { simulation } = this.#world
    simulation.tell('all faults are over')
    const steps = [
      [recoveryMs, () => this.#callOnce()],
      [settledMs, () => this.#leave()],
      [5_000, () => this.#callAgain()],
      [8_000, () => this.#compare()],
    ] as const
    let atMs = simulation.now
    for (const [afterMs, act] of steps) simulation.at((atMs += afterMs), simulation.world, act)
  }

  #callOnce() {
    for (const node of this.#world.nodes)
      if (this.#world.replicas.get(node)?.scheduler) this.#world.at(node, (replica) => this.#callFree(replica))
      else this.#world.break('a replica starts again')
  }

  async #callFree(replica: Replica) {
    const { plan, platform } = this.#world
    const free = Math.min(platform.counts.left(), plan.perMinute ?? Infinity)
    const code = await this.#callers.call(replica, { patienceMs })
    const held = plan.replicas * concurrencyPerReplica(plan.concurrency, plan.replicas)
    if (free > 2 * held && code !== 'made')
      this.#world.break(`${recoveryMs / 1_000} s after the last fault a free call can be had, and not ${code}`)
  }

  /** while the reservation is under way, so that it must be given back */
  #leave() {
    for (const node of this.#world.nodes)
      for (const leavesAfterMs of [1, 1, 1])
        this.#world.at(node, (replica) => this.#callers.call(replica, { patienceMs, leavesAfterMs }))
  }

  #callAgain() {
    for (const node of this.#world.nodes)
      this.#world.at(node, async (replica) => {
        const code = await this.#callers.call(replica, { patienceMs: 5_000 })
        if (code === 'made') this.#leftThen = this.#world.platform.counts.left()
      })
  }

  #compare() {
    if (this.#callers.isBusy()) this.#world.break('every caller has an answer in the end')
    const [first] = this.#world.nodes
    if (first) this.#world.at(first, (replica) => this.#compareQuota(first, replica))
  }

  async #compareQuota(node: SimulatedNode, { sharedQuota }: Replica) {
    const { platform, bound, simulation } = this.#world
    const known = await sharedQuota?.read()
    if (!known?.hour || !bound.isWhole(simulation.now)) return
    const [kept, left] = [known.hour.remaining, platform.counts.left()]
    simulation.tell(`Redis holds ${kept} calls, and the platform has ${left}`, node)
    if (kept < (this.#leftThen ?? 0))
      this.#world.break(`what was reserved and not used is given back: Redis holds ${kept} of ${this.#leftThen} calls`)
    if (kept > left) this.#world.break(`what is left is never overestimated: ${kept} of ${left}`)
  }
}
