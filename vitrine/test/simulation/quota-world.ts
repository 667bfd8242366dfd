// The installation of a plan on the nodes of one simulation: replicas, a Redis and the platform, the faults between them, and the
// bound of the quota over all of it.
import { Network } from '../../../base/test/simulator/network.ts'
import { everyCommand } from '../../../base/redis/redis-write-check.ts'
import type { Fault } from '../../../base/test/simulator/faults.ts'
import type { SimulatedNode } from '../../../base/test/simulator/node.ts'
import { RedisServer } from '../../../base/test/simulator/redis/server.ts'
import { Simulation } from '../../../base/test/simulator/simulation.ts'
import { createFaults } from './quota-faults.ts'
import { QuotaOracles } from './quota-oracles.ts'
import type { Calls, Item, Plan, Reads } from './quota-plan.ts'
import { createQuotaBound, type QuotaBound } from './quota-promises.ts'
import { Replica } from './quota-replica.ts'
import { createSimulatedPlatform } from './simulated-platform.ts'

/** a promise that did not hold */
export class Broken extends Error {}

export const isFault = (item: Item): item is Exclude<Item, Calls | Reads> =>
  item.kind !== 'calls' && item.kind !== 'reads'

/** of one replica, and of one caller: checks of health are 30 a second at most, and a wait of the quota 50 ms at least */
const [mostPerSecond, mostPerCall] = [120, 20]

/** how soon a replica knows that Redis takes no writes */
const noticedMs = 5_000

/** how long a leader that was killed stays away */
const leaderAwayMs = 20_000

export class QuotaWorld {
  readonly plan: Plan
  readonly simulation: Simulation
  readonly network: Network
  readonly redis: RedisServer
  readonly platform: ReturnType<typeof createSimulatedPlatform>
  readonly replicas = new Map<SimulatedNode, Replica>()
  readonly bound: QuotaBound
  readonly oracles: QuotaOracles
  readonly #faults: ReturnType<typeof createFaults>
  /** ends the process whose call arrives next */
  killsNext = false
  #wasUsedUp = false
  #asked = 0
  /** callers since Redis was last looked at */
  begun = 0

  constructor(plan: Plan, records: boolean) {
    this.plan = plan
    this.simulation = new Simulation(plan.seed)
    this.network = new Network(this.simulation)
    this.redis = new RedisServer(this.network, this.simulation.addNode('redis'), everyCommand.sha)
    if (records) this.redis.record = []
    this.bound = createQuotaBound(plan)
    this.oracles = new QuotaOracles(this)
    const arrived = (from: SimulatedNode, isOver: boolean) => this.#arrived(from, isOver)
    this.platform = createSimulatedPlatform({ ...plan, network: this.network, arrived })
    for (let n = 1; n <= plan.replicas; n++) this.#addReplica(`replica ${n}`)
    const { network, redis, platform } = this
    this.#faults = createFaults({
      network,
      redis,
      platform,
      replicas: new Map(Array.from(this.replicas.keys(), (node) => [node.name, node])),
      start: (node) => this.#start(node),
      ended: (node) => this.#ended(node),
      forgot: () => this.bound.doubted(this.simulation.now),
    })
  }

  get nodes(): readonly SimulatedNode[] {
    return [...this.replicas.keys()]
  }

  #addReplica(name: string) {
    const { network, plan, platform, simulation, bound, oracles } = this
    const node = simulation.addNode(name)
    const linkChanged = (isUp: boolean) => {
      bound.linked(name, isUp, simulation.now)
      if (plan.hasRedis) simulation.tell(isUp ? 'uses Redis' : 'does not reach Redis', node)
    }
    const begins = () => oracles.begin(node)
    this.replicas.set(
      node,
      new Replica({ network, node, plan, platform, linkChanged, reported: bound.reported, begins }),
    )
    this.#start(node)
  }

  #start(node: SimulatedNode) {
    this.simulation.start(node, () => void this.replicas.get(node)?.start().catch(this.failed))
  }

  #ended(node: SimulatedNode) {
    this.replicas.get(node)?.end()
    this.bound.gone(node.name, this.simulation.now)
  }

  readonly failed = (error: unknown) => void (this.simulation.failure ??= error)

  break(promise: string) {
    this.failed(new Broken(promise))
  }

  #arrived(from: SimulatedNode, isOver: boolean) {
    const { now } = this.simulation
    if (this.#wasUsedUp && !isOver) this.bound.renewed(now)
    this.#wasUsedUp = this.platform.counts.left() === 0
    if (isOver) {
      this.simulation.tell('calls, and nothing is left: 429', from)
      const broken = this.bound.over(now)
      if (broken !== undefined) this.break(broken)
    } else if (this.killsNext) {
      this.killsNext = false
      this.simulation.after(1, () => this.#killLeader(from), this.simulation.world)
    }
    this.oracles.look()
  }

  #killLeader({ name }: SimulatedNode) {
    this.simulation.tell(`${name} is killed while it makes a shared call`)
    this.oracles.disturbed(leaderAwayMs)
    const revive = this.#faults.kill({ kind: 'kill', atMs: 0, forMs: 0, node: name, amount: 0 })
    if (revive) this.simulation.after(leaderAwayMs, revive, this.simulation.world)
  }

  fault(fault: Exclude<Item, Calls | Reads>) {
    const { simulation } = this
    const how = fault.amount === 0 ? '' : ` (${Number(fault.amount.toPrecision(3))})`
    simulation.tell(`${fault.node}: ${fault.kind}${how} for ${(fault.forMs / 1_000).toFixed(2)} s`)
    if (fault.kind === 'others') this.bound.doubted(simulation.now)
    if (fault.kind === 'redis clock') this.bound.doubted(simulation.now, fault.amount)
    const end = this.#faults[fault.kind](fault)
    const ended = () => {
      this.#checkRefusing()
      this.#checkCut(fault)
      simulation.tell(`${fault.node}: ${fault.kind} ends`)
      end?.()
    }
    if (end) simulation.after(fault.forMs, ended, simulation.world)
  }

  /** before a fault ends: what Redis refuses was noticed by each replica that ran all the time */
  #checkRefusing() {
    const { redis, simulation } = this
    if (simulation.now - redis.refusesSince < noticedMs || redis.node.isDown || redis.node.isStopped) return
    for (const [node, replica] of this.replicas)
      if (replica.redis?.isUp() && !node.isStopped && !this.wasStopped(node, noticedMs))
        this.break(`a Redis that refuses writes counts as away within ${noticedMs} ms`)
  }

  /** before the paths to a replica are whole again: it noticed that nothing comes back, though no caller asked */
  #checkCut({ kind, node: name, atMs, forMs }: Exclude<Item, Calls | Reads>) {
    if ((kind !== 'cut' && kind !== 'half-open') || forMs < noticedMs) return
    const isBeside = (item: Item) =>
      isFault(item) && item.atMs < atMs + forMs && item.atMs + item.forMs > atMs && item.atMs !== atMs
    if (this.plan.items.some(isBeside)) return
    for (const [node, { redis }] of this.replicas)
      if ((node.name === name || name === 'redis') && redis?.isUp())
        this.break(`a Redis that does not answer counts as away within ${noticedMs} ms`)
  }

  /** runs in an event of the replica; nothing comes of it if that is gone, or not ready */
  at(node: SimulatedNode, act: (replica: Replica) => Promise<unknown>, afterMs = 0) {
    const replica = this.replicas.get(node)
    if (!replica || node.isDown) return
    const run = () => {
      if (replica.scheduler) act(replica).catch(this.failed)
    }
    this.simulation.after(afterMs, run, node)
  }

  /** called this often: no replica asks Redis again and again */
  checkLoad(everyMs: number) {
    const { redis, plan } = this
    this.oracles.look()
    const asked = redis.commands - this.#asked
    this.#asked = redis.commands
    const most = mostPerSecond * plan.replicas * (everyMs / 1_000) + mostPerCall * this.begun
    this.begun = 0
    if (asked > most)
      this.break(`replicas ask Redis at most ${most} times in ${everyMs / 1_000} s, and not ${asked} times`)
  }

  /** no fault is under way, and none begins or ended within this time of now; those of the platform may not count */
  isQuiet(withinMs: number, countsPlatform = true): boolean {
    const { now } = this.simulation
    const isNear = ({ atMs, forMs }: Fault) => atMs <= now + withinMs && atMs + forMs >= now - withinMs
    return !this.plan.items.some(
      (item) => isFault(item) && (countsPlatform || item.node !== 'platform') && isNear(item),
    )
  }

  /** no fault begins or ends within this time of now, though some may be under way */
  isSteady(withinMs: number): boolean {
    const { now } = this.simulation
    const isNear = (at: number) => Math.abs(at - now) <= withinMs
    return !this.plan.items.some((item) => isFault(item) && (isNear(item.atMs) || isNear(item.atMs + item.forMs)))
  }

  /** the clock of Redis is never set back: calls would leave the hour later by as much */
  get isClockTrue(): boolean {
    return !this.plan.items.some((item) => item.kind === 'redis clock' && item.amount < 0)
  }

  /** it was stopped lately: what it owed came when it woke */
  wasStopped({ name }: SimulatedNode, withinMs: number): boolean {
    const { now } = this.simulation
    const isIt = (item: Item) =>
      item.kind === 'stop' && item.node === name && item.atMs <= now && item.atMs + item.forMs > now - withinMs
    return this.plan.items.some(isIt)
  }
}
