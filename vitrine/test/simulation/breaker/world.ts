// The installation of a plan: replicas, a Redis and a platform that may not answer, the faults between them, and what callers are
// promised of all replicas.
import { everyCommand } from '../../../../base/redis/redis-write-check.ts'
import { createPathFaults } from '../../../../base/test/simulator/faults/paths.ts'
import { createProcessFaults } from '../../../../base/test/simulator/faults/process.ts'
import { createRedisFaults } from '../../../../base/test/simulator/faults/redis.ts'
import { type Begins, RunningFaults } from '../../../../base/test/simulator/faults/running.ts'
import { Network } from '../../../../base/test/simulator/network.ts'
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import { RedisServer } from '../../../../base/test/simulator/redis/server.ts'
import { Simulation } from '../../../../base/test/simulator/simulation.ts'
import { Broken } from '../../../../base/test/simulator/subject.ts'
import { News } from './news.ts'
import { type Calls, type FaultName, isFault, type Plan, type PlannedFault } from './plan.ts'
import { type Outcome, Replica } from './replica.ts'

/** a call without an answer ends, and counts */
const deadlineMs = 3_000
/** by then the platform's trouble is over for the breakers too: a call from before ends, a pause, and a call that tries */
const recoveredMs = 15_000

export class BreakerWorld {
  readonly plan: Plan
  readonly simulation: Simulation
  readonly network: Network
  readonly redis: RedisServer
  readonly faults: RunningFaults<PlannedFault>
  readonly replicas = new Map<SimulatedNode, Replica>()
  readonly outcomes: Record<string, number> = {}
  readonly #platform: SimulatedNode
  readonly #state = { failing: 0, silent: 0, halting: 0, unreachable: new Set<string>() }
  readonly #news: News
  readonly #waiting = new Map<SimulatedNode, number>()
  activeAt = 0

  constructor(plan: Plan) {
    this.plan = plan
    this.simulation = new Simulation(plan.seed)
    this.network = new Network(this.simulation)
    this.redis = new RedisServer(this.network, this.simulation.addNode('redis'), everyCommand.sha)
    this.#platform = this.simulation.addNode('platform')
    this.#news = new News(this)
    for (let n = 1; n <= plan.replicas; n++) this.#addReplica(`replica ${n}`)
    this.faults = new RunningFaults(this.simulation, plan.items.filter(isFault), this.#createFaults())
  }

  #addReplica(name: string) {
    const { network, simulation } = this
    const node = simulation.addNode(name)
    const replica = new Replica({
      network,
      node,
      send: () => this.#send(node),
      others: this.#news.othersOf(node),
      told: (outcome) => this.#news.told(node, outcome),
      broke: this.break,
    })
    this.replicas.set(node, replica)
    this.#start(node)
  }

  #start(node: SimulatedNode) {
    this.simulation.start(node, () => void this.replicas.get(node)?.start().catch(this.failed))
  }

  readonly failed = (error: unknown) => void (this.simulation.failure ??= error)
  readonly break = (promise: string) => this.failed(new Broken(promise))

  #createFaults(): Begins<FaultName> {
    const { network, redis, simulation } = this
    const nodes = new Map(Array.from(this.replicas.keys(), (node) => [node.name, node]))
    const counted = (kind: 'failing' | 'silent', by: number) => {
      this.#state[kind] += by
      return () => void (this.#state[kind] -= by)
    }
    return {
      ...createProcessFaults({
        network,
        nodes,
        start: (node) => this.#start(node),
        ended: (node) => {
          this.#waiting.delete(node)
          this.replicas.get(node)?.end()
        },
      }),
      ...createPathFaults({ network, server: redis.node, clients: nodes }),
      ...createRedisFaults(simulation, redis, () => {}),
      failing: () => counted('failing', 1),
      silent: () => counted('silent', 1),
      halting: ({ amount }) => {
        this.#state.halting = amount
        return () => void (this.#state.halting = 0)
      },
      unreachable: ({ node }) => {
        this.#state.unreachable.add(node)
        return () => void this.#state.unreachable.delete(node)
      },
    }
  }

  #send(from: SimulatedNode): Promise<Outcome> {
    const { network, simulation, plan } = this
    const [state, random] = [this.#state, simulation.random]
    return new Promise((ok) => {
      const late = setTimeout(() => ok('down'), deadlineMs)
      const answer = (outcome: Outcome) => {
        clearTimeout(late)
        ok(outcome)
      }
      if (state.unreachable.has(from.name)) return void setTimeout(() => answer('down'), 1)
      network.send(from, this.#platform, () => {
        if (state.silent > 0) return
        const isDown = state.failing > 0 || random.chance(state.halting)
        const reply = () => network.send(this.#platform, from, () => answer(isDown ? 'down' : 'alive'))
        simulation.after(random.between(...plan.thinkMs), reply, this.#platform)
      })
      return undefined
    })
  }

  calls({ forMs, count }: Calls) {
    const { simulation, plan } = this
    const random = simulation.random.fork(`calls ${simulation.now}`)
    for (let i = 0; i < count; i++) {
      const [node, lane] = [random.pick([...this.replicas.keys()]), `lane ${random.below(plan.lanes)}`]
      simulation.after(random.between(0, forMs), () => this.call(node, lane), simulation.world)
    }
  }

  #waits(node: SimulatedNode, by: number) {
    this.#waiting.set(node, (this.#waiting.get(node) ?? 0) + by)
  }

  /** a caller waits; those of a process that ended do not count */
  isBusy(): boolean {
    return [...this.#waiting.values()].some((count) => count > 0)
  }

  /** no replica is without Redis */
  isLinked(): boolean {
    return [...this.replicas.values()].every(({ redis }) => redis?.isUp() ?? true)
  }

  call(node: SimulatedNode, lane: string) {
    const replica = this.replicas.get(node)
    if (!replica || node.isDown) return
    const run = async () => {
      if (!replica.breakers) return
      const { life } = node
      this.#waits(node, 1)
      const outcome = await replica.call(lane)
      if (life !== node.life) return
      this.#waits(node, -1)
      this.activeAt = this.simulation.now
      this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1
      this.simulation.note(outcome.length)
      const concerns = (fault: PlannedFault) => fault.node === 'platform' || fault.node === node.name
      // beside a call that tries, others are refused
      if (outcome === 'refused' && replica.underWay === 0 && this.faults.isQuiet(recoveredMs, concerns))
        this.break(`callers are let in ${recoveredMs / 1_000} s after the platform answers again`)
    }
    this.simulation.after(0, () => void run().catch(this.failed), node)
  }

  /** nothing is broken: after the longest pause, every caller has an answer */
  calm() {
    const { simulation } = this
    for (const waitMs of [recoveredMs, recoveredMs + 1_000])
      for (const node of this.replicas.keys())
        for (let n = 0; n < this.plan.lanes; n++)
          simulation.after(waitMs, () => this.call(node, `lane ${n}`), simulation.world)
  }
}
