// The installation of a plan on the nodes of one simulation: replicas, a Redis and the platform, the faults between them, and the
// bound of the quota over all of it.
import { Network } from '../../../../base/test/simulator/network.ts'
import { everyCommand } from '../../../../base/redis/redis-write-check.ts'
import { createPathFaults } from '../../../../base/test/simulator/faults/paths.ts'
import { createProcessFaults } from '../../../../base/test/simulator/faults/process.ts'
import { createRedisFaults } from '../../../../base/test/simulator/faults/redis.ts'
import { type Begins, RunningFaults } from '../../../../base/test/simulator/faults/running.ts'
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import { RedisServer } from '../../../../base/test/simulator/redis/server.ts'
import { Simulation } from '../../../../base/test/simulator/simulation.ts'
import { Broken } from '../../../../base/test/simulator/subject.ts'
import { QuotaOracles } from './oracles.ts'
import { type FaultName, holdMs, isFault, type Plan, type PlannedFault } from './plan.ts'
import { createQuotaBound, type QuotaBound } from './promises.ts'
import { Replica } from './replica.ts'
import { createSimulatedPlatform } from './platform.ts'
import { createPlatformFaults } from './platform-faults.ts'

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
  readonly #begins: Begins<FaultName>
  readonly faults: RunningFaults<PlannedFault>
  /** ends the process whose call arrives next */
  killsNext = false
  /** a call of a replica arrived */
  called = () => {}
  hasCallers: (node: SimulatedNode) => boolean = () => false
  #wasUsedUp = false
  #asked = 0
  leadersKilled = 0
  /** what was reserved before the clock of Redis was set back is held until then */
  heldUntil = Number.NEGATIVE_INFINITY
  /** callers since Redis was last looked at */
  begun = 0
  /** what was in Redis when its clock was set back, and so ends later */
  readonly endsLater = new Map<string, number | undefined>()

  constructor(plan: Plan) {
    this.plan = plan
    this.simulation = new Simulation(plan.seed)
    this.network = new Network(this.simulation)
    this.redis = new RedisServer(this.network, this.simulation.addNode('redis'), everyCommand.sha)
    this.bound = createQuotaBound(plan)
    this.oracles = new QuotaOracles(this)
    const arrived = (from: SimulatedNode, isOver: boolean) => this.#arrived(from, isOver)
    this.platform = createSimulatedPlatform({ ...plan, network: this.network, arrived })
    for (let n = 1; n <= plan.replicas; n++) this.#addReplica(`replica ${n}`)
    this.#begins = this.#createFaults()
    this.faults = new RunningFaults(this.simulation, plan.items.filter(isFault), this.#begins)
  }

  #createFaults(): Begins<FaultName> {
    const { network, redis, platform, simulation } = this
    const nodes = new Map(Array.from(this.replicas.keys(), (node) => [node.name, node]))
    const start = (node: SimulatedNode) => this.#start(node)
    const ended = (node: SimulatedNode) => this.#ended(node)
    const forgot = () => this.bound.doubted(simulation.now)
    return {
      ...createProcessFaults({ network, nodes, start, ended }),
      ...createPathFaults({ network, server: redis.node, clients: nodes }),
      ...createPlatformFaults(platform),
      ...createRedisFaults(simulation, redis, forgot),
      'redis vanished'() {
        redis.kill(true)
        return () => {
          if (!redis.node.isDown) return
          forgot()
          redis.start()
        }
      },
      'redis moved'() {
        redis.move()
        return undefined
      },
    }
  }

  get nodes(): readonly SimulatedNode[] {
    return [...this.replicas.keys()]
  }

  #addReplica(name: string) {
    const { network, plan, platform, simulation, bound, oracles } = this
    const node = simulation.addNode(name)
    const linkChanged = (isUp: boolean) => {
      bound.linked(name, isUp, simulation.now)
      oracles.alone.linked(node, isUp)
      if (isUp) oracles.doubt.appeared(node, this.hasCallers(node))
      if (plan.hasRedis) simulation.tell(isUp ? 'uses Redis' : 'does not reach Redis', node)
    }
    const begins = (who: string) => oracles.begin(node, who)
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
    this.called()
  }

  #killLeader({ name }: SimulatedNode) {
    this.leadersKilled++
    this.simulation.tell(`${name} is killed while it makes a shared call`)
    this.oracles.disturbed(leaderAwayMs)
    const revive = this.#begins.kill({ kind: 'kill', atMs: 0, forMs: 0, node: name, amount: 0 })
    if (revive) this.simulation.after(leaderAwayMs, revive, this.simulation.world)
  }

  fault(fault: PlannedFault) {
    const { now } = this.simulation
    if (fault.kind === 'others') this.bound.doubted(now)
    if (fault.kind === 'redis clock') {
      this.bound.doubted(now, fault.amount)
      const { values } = this.redis.store
      if (fault.amount < 0) {
        for (const name of values.names()) this.endsLater.set(name, values.endsAt(name))
        this.heldUntil = Math.max(this.heldUntil, now + holdMs) - fault.amount
      }
    }
    this.faults.begin(fault, () => {
      this.#checkRefusing()
      this.#checkCut(fault)
    })
    // it may be over before the next look
    this.oracles.look()
  }

  /** before a fault ends: what Redis refuses was noticed by each replica that ran all the time */
  #checkRefusing() {
    const { redis, simulation } = this
    if (simulation.now - redis.refusesSince < noticedMs || redis.node.isDown || redis.node.isStopped) return
    for (const [node, replica] of this.replicas)
      if (replica.redis?.isUp() && !node.isStopped && !this.faults.wasStopped(node, noticedMs))
        this.break(`a Redis that refuses writes counts as away within ${noticedMs} ms`)
  }

  /** before the paths to a replica are whole again: it noticed that nothing comes back, though no caller asked */
  #checkCut(fault: PlannedFault) {
    const { kind, node: name, forMs } = fault
    if ((kind !== 'cut' && kind !== 'half-open') || forMs < noticedMs || !this.faults.isAlone(fault)) return
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

  /** no fault but those of the platform is under way, and none begins or ended within this time of now */
  isQuietBeside(withinMs: number): boolean {
    return this.faults.isQuiet(withinMs, ({ node }) => node !== 'platform')
  }

  /** the clock of Redis is never set back: calls would leave the hour later by as much */
  get isClockTrue(): boolean {
    return !this.plan.items.some((item) => item.kind === 'redis clock' && item.amount < 0)
  }
}
