// The callers of a run, and what each is promised: an answer in time, one call for equal reads, and no answer from before it asked.
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import type { Calls, Reads } from './plan.ts'
import type { Asked, Outcome, Replica } from './replica.ts'
import type { QuotaWorld } from './world.ts'

/** how long after its deadline a caller may hear of it */
const lateMs = 100
const readMs = 20_000
/** a read that waited for half of its deadline calls by itself */
const sharedMs = readMs / 2 - 1_000
/** a shared read has its answer by then though its leader died: the lease, a look, and a test of the quota */
const survivedMs = 6_000
const mostThinkMs = 400
/** before it, no other call was begun for so long */
const loneMs = 5_000

interface Group {
  readonly name: string
  /** of the platform's calls for it */
  readonly numbers: Set<number>
  readonly isCalm: boolean
  readonly kills: boolean
  /** a second read of the same begins as soon as one has its answer */
  isFollowed: boolean
}

export class Callers {
  readonly #world: QuotaWorld
  readonly #follows: boolean
  readonly outcomes: Record<string, number> = {}
  readonly #waiting = new Set<{ readonly node: SimulatedNode; readonly life: number }>()
  /** of each of the platform's calls: when its answer was first returned */
  readonly #returned = new Map<number, number>()
  #begunAt = 0
  /** when a caller last had an answer */
  activeAt = 0

  /** `follows`: shared reads are read again at the moment of the first answer */
  constructor(world: QuotaWorld, { follows = true } = {}) {
    this.#world = world
    this.#follows = follows
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
    // others' answers may still tell that more is left
    const isLone = this.#world.simulation.now - this.#begunAt > loneMs && !this.isBusy()
    this.#begunAt = this.#world.simulation.now
    const isFree = isLone && asked.patienceMs > loneMs && this.#world.oracles.isSurelyFree()
    const { code } = await this.#wait(node, replica.call(asked))
    const tookMs = Math.round(node.steady() - begunAt)
    if (tookMs > asked.patienceMs + lateMs && !this.#world.faults.wasStopped(node, tookMs))
      this.#world.break(`a caller with ${asked.patienceMs} ms hears of it in time, and not after ${tookMs} ms`)
    if (isFree && code === 'upstream_rate_limited' && this.#world.oracles.isSurelyFree())
      this.#world.break('what is free can be had')
    return code
  }

  reads({ count, kills }: Reads) {
    const { simulation, bound, plan, nodes } = this.#world
    const isCalm = plan.hasRedis && bound.isSettled(simulation.now, 60_000) && this.#world.isQuietBeside(60_000)
    this.#world.killsNext = kills && plan.replicas > 1
    const [name, numbers] = [`read ${simulation.now}`, new Set<number>()]
    const group = { name, numbers, isCalm, kills: this.#world.killsNext, isFollowed: false }
    for (let i = 0; i < count; i++) {
      const node = nodes[i % nodes.length]
      if (node) this.#world.at(node, (replica) => this.#read(replica, group))
    }
  }

  async #read(replica: Replica, group: Group) {
    const { simulation, plan, oracles } = this.#world
    const begunAt = simulation.now
    const { answer } = await this.#wait(replica.node, replica.read(group.name, readMs))
    if (!answer) return
    const returnedAt = this.#returned.get(answer.number) ?? simulation.now
    if (returnedAt < begunAt) this.#world.break('no read has an answer that another was given before it began')
    this.#returned.set(answer.number, returnedAt)
    this.#follow(group)
    group.numbers.add(answer.number)
    const tookMs = Math.round(simulation.now - begunAt)
    if (!group.isCalm) return
    if (tookMs < sharedMs && group.numbers.size > (group.kills ? 2 : 1))
      this.#world.break('equal reads at the same time are one call over all replicas')
    const isSimple =
      group.kills && this.#world.faults.isQuiet(20_000) && plan.thinkMs[1] < mostThinkMs && plan.perMinute === undefined
    if (isSimple && tookMs > survivedMs && (oracles.known()?.hour ?? 0) > 2 * (plan.concurrency + plan.replicas))
      this.#world.break(`a shared read outlives its leader within ${survivedMs} ms, and not ${tookMs} ms`)
  }

  /** at all other replicas, in the moment in which the messages about the first call are under way */
  #follow(group: Group) {
    if (group.isFollowed || !this.#follows) return
    group.isFollowed = true
    const followed = { ...group, numbers: new Set<number>(), isCalm: false }
    for (const node of this.#world.nodes) this.#world.at(node, (replica) => this.#read(replica, followed), 0.001)
  }
}
