// The callers of a run, and what each is promised: an answer in time, one call for equal reads, and no answer from before it asked.
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import type { Random } from '../../../../base/test/simulator/random.ts'
import { type Calls, mostKept, type Reads } from './plan.ts'
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
/** by then all that read at once have joined */
const joinedMs = 20
/** how soon each has the answer that one of them had; and the age of a call that is joined at most */
const [toldMs, joinMs] = [100, 3_100]
/** a caller who waits for less may be refused, though an answer is under way that shows what is free */
const patientMs = 5_000

interface Group {
  readonly name: string
  /** of the platform's calls that had an answer */
  readonly numbers: Set<number>
  /** of the platform's calls that began */
  calls: number
  readonly isCalm: boolean
  readonly isAtOnce: boolean
  readonly kills: boolean
  /** leaders killed before it began */
  readonly killedBefore: number
  /** a second read of the same begins as soon as one has its answer */
  isFollowed: boolean
}

export class Callers {
  readonly #world: QuotaWorld
  readonly #follows: boolean
  readonly #random: Random
  readonly outcomes: Record<string, number> = {}
  readonly #waiting = new Set<{ readonly node: SimulatedNode; readonly life: number }>()
  /** of each of the platform's calls: when its answer was first returned */
  readonly #returned = new Map<number, number>()
  /** when a caller last had an answer */
  activeAt = 0

  /** `follows`: shared reads are read again at the moment of the first answer */
  constructor(world: QuotaWorld, { follows = true } = {}) {
    this.#world = world
    this.#follows = follows
    this.#random = world.simulation.random.fork('company')
    world.called = () => this.#accompany()
    world.hasCallers = (node) => [...this.#waiting].some((one) => one.node === node && one.life === node.life)
  }

  /** a caller waits; those of a process that ended do not count */
  isBusy(): boolean {
    return [...this.#waiting].some(({ node, life }) => node.life === life)
  }

  calls({ forMs, count, patienceMs, leaves }: Calls) {
    const { simulation, nodes, plan } = this.#world
    const lastMs = Math.min(forMs, plan.calmMs - simulation.now)
    const random = simulation.random.fork(`calls ${simulation.now}`)
    for (let i = 0; i < count; i++) {
      const leavesAfterMs = random.chance(leaves) ? random.between(0, 30) : undefined
      const [node, who] = [random.pick(nodes), this.#keyOf(random)]
      const call = () => this.#world.at(node, (replica) => this.call(replica, { who, patienceMs, leavesAfterMs }))
      simulation.after(random.between(0, lastMs), call, simulation.world)
    }
  }

  #keyOf(random: Random): string {
    return `key ${1 + random.below(this.#world.plan.keys)}`
  }

  /** a call is under way: perhaps another caller comes, at any replica, about the time of its answer */
  #accompany() {
    const { simulation, nodes, plan } = this.#world
    const random = this.#random
    if (simulation.now >= plan.calmMs || !random.chance(plan.company)) return
    const leavesAfterMs = random.chance(0.3) ? random.between(0, 30) : undefined
    const [node, who, patienceMs] = [random.pick(nodes), this.#keyOf(random), random.between(100, 20_000)]
    const call = () => this.#world.at(node, (replica) => this.call(replica, { who, patienceMs, leavesAfterMs }))
    simulation.after(random.between(0, 1.5 * plan.thinkMs[1]), call, simulation.world)
  }

  async #wait(node: SimulatedNode, asked: Promise<Outcome>): Promise<Outcome> {
    const own = { node, life: node.life }
    this.#waiting.add(own)
    this.#world.begun++
    this.#world.oracles.doubt.asked(node)
    const outcome = await asked
    this.#waiting.delete(own)
    this.activeAt = this.#world.simulation.now
    this.outcomes[outcome.code] = (this.outcomes[outcome.code] ?? 0) + 1
    this.#world.simulation.note(outcome.code.length)
    return outcome
  }

  async call(replica: Replica, asked: Asked): Promise<Outcome> {
    const { node } = replica
    const begunAt = node.steady()
    const isFree = asked.patienceMs > patientMs && this.#world.oracles.isSurelyFree(this.#waiting.size)
    const outcome = await this.#wait(node, replica.call(asked))
    const tookMs = Math.round(node.steady() - begunAt)
    if (tookMs > asked.patienceMs + lateMs && !this.#world.faults.wasStopped(node, tookMs))
      this.#world.break(`a caller with ${asked.patienceMs} ms hears of it in time, and not after ${tookMs} ms`)
    if (isFree && outcome.code === 'upstream_rate_limited' && this.#world.oracles.isSurelyFree(this.#waiting.size))
      this.#world.break('what is free can be had')
    return outcome
  }

  reads({ forMs, count, leaves, kills }: Reads) {
    const { simulation, bound, plan, nodes } = this.#world
    const random = simulation.random.fork(`reads ${simulation.now}`)
    const isCalm = plan.hasRedis && bound.isSettled(simulation.now, 60_000) && this.#world.isQuietBeside(60_000)
    this.#world.killsNext = kills && plan.replicas > 1
    const [name, numbers] = [`read ${simulation.now}`, new Set<number>()]
    const group = {
      name,
      numbers,
      calls: 0,
      isCalm,
      isAtOnce: forMs === 0,
      kills: this.#world.killsNext,
      killedBefore: this.#world.leadersKilled,
      isFollowed: false,
    }
    for (let i = 0; i < count; i++) {
      const node = nodes[i % nodes.length]
      const leavesAfterMs = random.chance(leaves) ? random.between(joinedMs, plan.thinkMs[1]) : undefined
      const who = this.#keyOf(random)
      const asked = { who, patienceMs: readMs, leavesAfterMs }
      if (node) this.#world.at(node, (replica) => this.#read(replica, group, asked), random.between(0, forMs))
    }
  }

  async #read(replica: Replica, group: Group, asked: Asked) {
    const { simulation } = this.#world
    const begunAt = simulation.now
    const { answer } = await this.#wait(
      replica.node,
      replica.read(group.name, asked, () => group.calls++),
    )
    if (!answer) return
    const returnedAt = this.#returned.get(answer.number) ?? simulation.now
    if (returnedAt < begunAt) this.#world.break('no read has an answer that another was given before it began')
    this.#returned.set(answer.number, returnedAt)
    this.#follow(group, asked)
    group.numbers.add(answer.number)
    if (answer.arrivedAt < begunAt - joinMs && this.#endsLeases())
      this.#world.break(`no read joins a call that is older than ${joinMs} ms`)
    if (!group.isCalm) return
    if (simulation.now > returnedAt + toldMs && this.#world.faults.isQuiet(toldMs))
      this.#world.break(`all that wait for a read have its answer within ${toldMs} ms`)
    if (group.isAtOnce) this.#checkGroup(group, Math.round(simulation.now - begunAt))
  }

  /** leases end in time: Redis had no older copy, no other clock and no pause */
  #endsLeases(): boolean {
    const { faults } = this.#world
    return faults.isQuiet(readMs, ({ kind }) => kind.startsWith('redis'))
  }

  #checkGroup(group: Group, tookMs: number) {
    const { plan, oracles, leadersKilled } = this.#world
    // each leader that is killed is followed by another
    const most = 1 + leadersKilled - group.killedBefore
    if (tookMs < sharedMs && Math.max(group.calls, group.numbers.size) > most)
      this.#world.break('equal reads at the same time are one call over all replicas')
    const isSimple =
      group.kills && this.#world.faults.isQuiet(20_000) && plan.thinkMs[1] < mostThinkMs && plan.perMinute === undefined
    if (isSimple && tookMs > survivedMs && (oracles.known()?.hour ?? 0) > mostKept(plan))
      this.#world.break(`a shared read outlives its leader within ${survivedMs} ms, and not ${tookMs} ms`)
  }

  /** at all other replicas, in the moment in which the messages about the first call are under way */
  #follow(group: Group, { who }: Asked) {
    if (group.isFollowed || !this.#follows) return
    group.isFollowed = true
    const followed = { ...group, numbers: new Set<number>(), calls: 0, isCalm: false }
    const asked = { who, patienceMs: readMs }
    for (const node of this.#world.nodes) this.#world.at(node, (replica) => this.#read(replica, followed, asked), 0.001)
  }
}
