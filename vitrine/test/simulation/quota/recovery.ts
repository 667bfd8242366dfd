// What is promised for the time after all faults: within 90 s every free call can be had, callers have their answers, what was
// reserved and not used is given back, and the quota in Redis is what the platform counts.
import { hash } from 'node:crypto'
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import type { Callers } from './callers.ts'
import { checkLeftovers } from './leftovers.ts'
import { messageMs, mostKept } from './plan.ts'
import type { Replica } from './replica.ts'
import type { QuotaWorld } from './world.ts'

/** the longest pause after a 429, and the longest doubt about a Redis, with time for the calls that test */
export const recoveryMs = 90_000
/** by then calls under way have ended, and what was reserved for dead callers is no longer held */
const settledMs = 45_000
const [minuteMs, hourMs] = [60_000, 3_600_000]
const inProcess = ({ node }: { readonly node: string }) => node.startsWith('replica')
const [who, patienceMs] = ['key 1', 20_000]

export class Recovery {
  readonly #world: QuotaWorld
  readonly #callers: Callers
  /** the least that the platform told at the end */
  #leftThen: number | undefined

  constructor(world: QuotaWorld, callers: Callers) {
    this.#world = world
    this.#callers = callers
  }

  begin() {
    const { simulation } = this.#world
    simulation.tell('all faults are over')
    this.#world.killsNext = false
    const steps = [
      [recoveryMs, () => this.#callOnce()],
      [settledMs, () => this.#leave()],
      [5_000, () => this.#callAgain()],
      [8_000, () => this.#compare()],
      [20_000, () => checkLeftovers(this.#world)],
    ] as const
    let atMs = simulation.now
    for (const [afterMs, act] of steps) simulation.at((atMs += afterMs), simulation.world, act)
  }

  #callOnce() {
    for (const [node, { scheduler, redis }] of this.#world.replicas) {
      if (!scheduler) this.#world.break('a replica starts again')
      if (redis?.isUp() === false) this.#world.break('a replica comes back to its Redis')
      this.#world.at(node, (replica) => this.#callFree(replica))
    }
  }

  async #callFree(replica: Replica) {
    const { plan, platform, isClockTrue } = this.#world
    const free = Math.min(platform.counts.left(), plan.perMinute ?? Infinity)
    const { code } = await this.#callers.call(replica, { who, patienceMs })
    if (isClockTrue && free > mostKept(plan) && code !== 'made')
      this.#world.break(`${recoveryMs / 1_000} s after the last fault a free call can be had, and not ${code}`)
  }

  /** while the reservation is under way, so that it must be given back */
  #leave() {
    for (const node of this.#world.nodes)
      for (const leavesAfterMs of [1, 1, 1])
        this.#world.at(node, (replica) => this.#callers.call(replica, { who, patienceMs, leavesAfterMs }))
  }

  #callAgain() {
    for (const node of this.#world.nodes)
      this.#world.at(node, async (replica) => {
        const { answer } = await this.#callers.call(replica, { who, patienceMs: 5_000 })
        const left = answer?.rates.hour?.remaining
        if (left !== undefined) this.#leftThen = Math.min(left, this.#leftThen ?? left)
      })
  }

  #compare() {
    if (this.#callers.isBusy()) this.#world.break('every caller has an answer in the end')
    const [first] = this.#world.nodes
    if (!first) return
    this.#world.at(first, (replica) => this.#compareQuota(first, replica))
    this.#world.at(first, (replica) => this.#compareUse(replica))
  }

  /** what each facade key used of the hour, where no replica lost what it counted */
  async #compareUse({ sharedQuota }: Replica) {
    const { plan, oracles, simulation, bound, faults, isClockTrue } = this.#world
    const lost = plan.items.some((item) => item.kind === 'reads' && item.kills)
    const isWhole = bound.isSettled(simulation.now, hourMs + settledMs) && faults.isQuiet(hourMs, inProcess)
    if (lost || !isWhole || !isClockTrue || !sharedQuota) return
    const uses = await sharedQuota.exchangeUsage(new Map())
    if (!uses) return
    for (let n = 1; n <= plan.keys; n++) {
      const used = uses.get(hash('sha256', `key ${n}`, 'base64url').slice(0, 22))?.calls ?? 0
      const since = (ms: number) =>
        oracles.calls.filter(({ who: one, at }) => one === `key ${n}` && at > simulation.now - ms).length
      const [least, most] = [since(hourMs - minuteMs), since(hourMs + minuteMs)]
      if (used < least || used > most)
        this.#world.break(`replicas count what each facade key used: ${used} of ${least} to ${most} calls`)
    }
  }

  async #compareQuota(node: SimulatedNode, { sharedQuota }: Replica) {
    const { platform, bound, simulation, oracles, heldUntil } = this.#world
    const known = await sharedQuota?.read()
    if (!known?.hour || !bound.isSettled(simulation.now)) return
    const [kept, left] = [known.hour.remaining, platform.counts.left()]
    simulation.tell(`Redis holds ${kept} calls, and the platform has ${left}`, node)
    const isGivenBack = simulation.now > heldUntil + messageMs
    if (isGivenBack && kept + oracles.unheardSince(settledMs) < Math.min(left, this.#leftThen ?? 0))
      this.#world.break(`what was reserved and not used is given back: Redis holds ${kept} of ${this.#leftThen} calls`)
    // what was lost is only known from a new answer
    if (this.#leftThen !== undefined && kept > left)
      this.#world.break(`what is left is never overestimated: ${kept} of ${left}`)
  }
}
