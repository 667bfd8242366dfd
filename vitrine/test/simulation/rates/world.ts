// The installation of a plan on the nodes of one simulation: replicas with the product's Redis client and shared rates, a Redis, and
// the faults between them. Each replica counts the others as through the rows of the database.
import type { KeyRates } from '../../../../base/auth/rate-limits.ts'
import { openRedis, type Redis } from '../../../../base/redis/redis.ts'
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
import { createSharedRates } from '../../../src/replicas/shared-rates.ts'
import { Lives } from './lives.ts'
import { type FaultName, isFault, type Plan, type PlannedFault } from './plan.ts'

const steady = () => performance.now()

/** they break no question */
const changing = new Set<FaultName>(['redis clock', 'redis emptied', 'drift', 'redis drift'])

export interface Replica {
  readonly redis: Redis | undefined
  readonly rates: KeyRates
}

export class RatesWorld {
  readonly plan: Plan
  readonly simulation: Simulation
  readonly network: Network
  readonly redis: RedisServer
  readonly lives: Lives
  readonly faults: RunningFaults<PlannedFault>
  /** those that are ready */
  readonly replicas = new Map<SimulatedNode, Replica>()
  readonly nodes: readonly SimulatedNode[]

  constructor(plan: Plan) {
    this.plan = plan
    const simulation = new Simulation(plan.seed)
    this.simulation = simulation
    this.network = new Network(simulation)
    this.redis = new RedisServer(this.network, simulation.addNode('redis'), everyCommand.sha)
    this.lives = new Lives(() => simulation.now)
    this.nodes = Array.from({ length: plan.replicas }, (_, n) => simulation.addNode(`replica ${n + 1}`))
    this.faults = new RunningFaults(simulation, plan.items.filter(isFault), this.#createFaults())
    for (const node of this.nodes) this.#start(node)
  }

  #createFaults(): Begins<FaultName> {
    const { network, redis, simulation, lives } = this
    const nodes = new Map(this.nodes.map((node) => [node.name, node]))
    const start = (node: SimulatedNode) => this.#start(node)
    const ended = (node: SimulatedNode) => {
      this.replicas.delete(node)
      lives.end(node)
    }
    return {
      ...createProcessFaults({ network, nodes, start, ended }),
      ...createPathFaults({ network, server: redis.node, clients: nodes }),
      ...createRedisFaults(simulation, redis, () => {}),
      'redis emptied'() {
        redis.store.values.restore(new Map())
        return undefined
      },
    }
  }

  #start(node: SimulatedNode) {
    this.simulation.start(node, () => void this.#open(node).catch(this.failed))
  }

  async #open(node: SimulatedNode) {
    const { plan, simulation, lives } = this
    const { life } = node
    const changed: { run(isUp: boolean): void } = { run: () => {} }
    const observe = ({ kind }: { readonly kind: string }) => {
      if (life === node.life && (kind === 'redis_away' || kind === 'redis_back')) changed.run(kind === 'redis_back')
    }
    const prefix = ['vitrine', 'simulation']
    const redis = plan.hasRedis ? await openRedis({ url: 'redis://redis', prefix, observe, steady }) : undefined
    const { windowMs } = plan
    const replicas = () => lives.countFor(node)
    const rates = createSharedRates({ standard: 60, redis, replicas, steady, windowMs })
    const { links } = lives.begin(node, redis?.isUp() ?? false)
    changed.run = (isUp) => {
      links.push({ at: simulation.now, isUp })
      simulation.tell(isUp ? 'uses Redis' : 'does not reach Redis', node)
    }
    this.replicas.set(node, { redis, rates })
  }

  readonly failed = (error: unknown) => void (this.simulation.failure ??= error)

  break(promise: string) {
    this.failed(new Broken(promise))
  }

  /** the clock of Redis, or what it holds, was changed between these moments in this way */
  changesOfRedis(from: number, to: number, is: (fault: PlannedFault) => boolean): number {
    return this.plan.items.filter((one) => isFault(one) && one.atMs >= from && one.atMs <= to && is(one)).length
  }

  /** a fault between this replica and Redis, or of one of them, was under way between these moments */
  isDisturbed({ name }: SimulatedNode, from: number, to: number): boolean {
    const concerns = (one: PlannedFault) => (one.node === name || one.node === 'redis') && !changing.has(one.kind)
    return this.plan.items.some(
      (one) => isFault(one) && one.atMs <= to && one.atMs + one.forMs >= from && concerns(one),
    )
  }
}
