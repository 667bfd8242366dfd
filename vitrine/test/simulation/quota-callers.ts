// The callers of a run, and what each is promised: an answer in time, one call for equal reads, and no answer from before it asked.
import type { SimulatedNode } from '../../../base/test/simulator/node.ts'
import type { Calls, Reads } from './quota-plan.ts'
import type { Asked, Outcome, Replica } from './quota-replica.ts'
import type { QuotaWorld } from './quota-world.ts'

/** how long after its deadline a caller may hear of it */
const lateMs = 100
const readMs = 20_000
/** a read that waited for half of its deadline calls by itself */
const sharedMs = readMs / 2 - 1_000
/** a shared read has its answer by then though its leader died: the lease, a look, and a test of the quota */
const survivedMs = 6_000
const mostThinkMs = 400

interface Group {
  readonly name: string
  /** of the platform's calls for it */
  readonly numbers: Set<number>
  readonly isWhole: boolean
  readonly kills: boolean
}

export class Callers {
  readonly #world: QuotaWorld
  readonly outcomes: Record<string, number> = {}
  readonly #waiting = new Set<{ readonly node: SimulatedNode; readonly life: number }>()
  /** of each of the platform's calls: when its answer was first returned */
  readonly #returned = new Map<number, number>()
  /** when a caller last had an answer */
  activeAt = 0

  constructor(world: QuotaWorld) {
    this.#world = world
  }

  /** a caller waits; those of a process that ended do not count */
  isBusy(): boolean {
    return [...this.#waiting].some(({ node, life }) => node.life === life)
  }

  calls({ forMs, count, patienceMs, leaves }: Calls) {
    const { simulation, nodes } = this.#world
    const random = simulation.random.fork(`calls ${simulation.now}`)
    for (let i = 0; i < count; i++) {
      const leavesAfterMs = random.chance(leaves) ? random.between(0, 30) : undefined
      const node = random.pick(nodes)
      const call = () => this.#world.at(node, (replica) => this.call(replica, { patienceMs, leavesAfterMs }))
      simulation.after(random.between(0, forMs), call, simulation.world)
    }
  }

  async #wait(node: SimulatedNode, asked: Promise<Outcome>): Promise<Outcome> {
    const own = { node, life: node.life }
    this.#waiting.add(own)
    this.#world.begun++
    const outcome = await asked
    this.#waiting.delete(own)
    this.activeAt = this.#world.simulation.now
    this.outcomes[outcome.code] = (this.outcomes[outcome.code] ?? 0) + 1
    this.#world.simulation.note(outcome.code.length)
    return outcome
  }

  async call(replica: Replica, asked: Asked): Promise<string> {
    const { node } = replica
    const begunAt = node.steady()
    const { code } = await this.#wait(node, replica.call(asked))
    const tookMs = Math.round(node.steady() - begunAt)
    if (tookMs > asked.patienceMs + lateMs && !this.#world.wasStopped(node, tookMs))
      this.#world.break(`a caller with ${asked.patienceMs} ms hears of it in time, and not after ${tookMs} ms`)
    return code
  }

  reads({ count, kills }: Reads) {
    const { simulation, bound, plan, nodes } = this.#world
    const isWhole = plan.hasRedis && bound.isWhole(simulation.now) && this.#world.isQuiet(60_000)
    this.#world.killsNext = kills && plan.replicas > 1
    const group = { name: `read ${simulation.now}`, numbers: new Set<number>(), isWhole, kills: this.#world.killsNext }
    for (let i = 0; i < count; i++) {
      const node = nodes[i % nodes.length]
      if (node) this.#world.at(node, (replica) => this.#read(replica, group))
    }
  }

  async #read(replica: Replica, group: Group) {
    const { simulation, plan, platform } = this.#world
    const begunAt = simulation.now
    const { answer } = await this.#wait(replica.node, replica.read(group.name, readMs))
    if (!answer) return
    const returnedAt = this.#returned.get(answer.number) ?? simulation.now
    if (returnedAt < begunAt) this.#world.break('no read has an answer that another was given before it began')
    this.#returned.set(answer.number, returnedAt)
    group.numbers.add(answer.number)
    const tookMs = Math.round(simulation.now - begunAt)
    if (!group.isWhole) return
    if (tookMs < sharedMs && group.numbers.size > (group.kills ? 2 : 1))
      this.#world.break('equal reads at the same time are one call over all replicas')
    const isSimple = group.kills && plan.thinkMs[1] < mostThinkMs && plan.perMinute === undefined
    if (isSimple && tookMs > survivedMs && platform.counts.left() > 2 * plan.concurrency)
      this.#world.break(`a shared read outlives its leader within ${survivedMs} ms, and not ${tookMs} ms`)
  }
}
