// The installation of a plan on the nodes of one simulation: replicas, a PostgreSQL with its standby, a Redis, and the faults between
// them.
import { everyCommand } from '../../../../base/redis/redis-write-check.ts'
import { createPathFaults } from '../../../../base/test/simulator/faults/paths.ts'
import { createPostgresFaults } from '../../../../base/test/simulator/faults/postgres.ts'
import { createProcessFaults } from '../../../../base/test/simulator/faults/process.ts'
import { createRedisFaults } from '../../../../base/test/simulator/faults/redis.ts'
import { RunningFaults } from '../../../../base/test/simulator/faults/running.ts'
import { Network } from '../../../../base/test/simulator/network.ts'
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import { PostgresPair } from '../../../../base/test/simulator/postgres/pair.ts'
import { Rows } from '../../../../base/test/simulator/postgres/rows.ts'
import { RedisServer } from '../../../../base/test/simulator/redis/server.ts'
import { Simulation } from '../../../../base/test/simulator/simulation.ts'
import { Broken } from '../../../../base/test/simulator/subject.ts'
import { migrations, schema } from '../../../src/store/migrations.ts'
import { isFault, type Plan, type PlannedFault } from './plan.ts'
import { type Grant, Replica } from './replica.ts'

const texts = new Map(migrations.map(({ postgres, sqlite }) => [postgres, sqlite]))
/** a supervisor starts a process anew that ended by itself */
const againMs = 1_000
/** how long a process that ended with its change stays away */
const awayMs = 20_000

/** a database whose schema is there: the same bytes each time */
function emptyDatabase(): Uint8Array {
  const rows = new Rows({ texts, isStandby: () => false })
  const run = (text: string) => rows.run({ text, values: [], at: 0 })
  for (const { postgres } of migrations) run(postgres)
  run(`CREATE TABLE ${schema.name}_schema (version INTEGER NOT NULL)`)
  run(`INSERT INTO ${schema.name}_schema VALUES (${migrations.length})`)
  const image = rows.image()
  rows.close()
  return image
}

const image = emptyDatabase()

export class World {
  readonly plan: Plan
  readonly simulation: Simulation
  readonly network: Network
  readonly redis: RedisServer
  readonly postgres: PostgresPair
  readonly replicas = new Map<SimulatedNode, Replica>()
  readonly faults: RunningFaults<PlannedFault>
  /** when a primary last answered each replica */
  readonly servedAt = new Map<SimulatedNode, number>()
  /** ends with the next change that the database keeps */
  dying: SimulatedNode | undefined

  constructor(plan: Plan, records: boolean) {
    this.plan = plan
    const simulation = new Simulation(plan.seed)
    const network = new Network(simulation)
    this.simulation = simulation
    this.network = network
    this.redis = new RedisServer(network, simulation.addNode('redis'), everyCommand.sha)
    const nodes = Array.from({ length: plan.replicas }, (_, n) => simulation.addNode(`replica ${n + 1}`))
    // where all that is asked is compared, the service makes the schema
    this.postgres = new PostgresPair(network, nodes, {
      texts,
      kept: () => this.#kept(),
      served: (node) => this.servedAt.set(node, simulation.now),
      ...(records ? { records } : { image }),
    })
    for (const node of nodes) {
      const told = (what: string) => simulation.tell(what.replaceAll('_', ' '), node)
      this.replicas.set(node, new Replica(node, plan, this.postgres.url(node), told))
      this.#start(node)
    }
    this.faults = this.#createFaults()
  }

  #createFaults() {
    const { network, redis, postgres: pair, simulation, plan } = this
    const clients = new Map(this.nodes.map((node) => [node.name, node]))
    const start = (node: SimulatedNode) => this.#start(node)
    const ended = (node: SimulatedNode) => this.replicas.get(node)?.end()
    return new RunningFaults<PlannedFault>(simulation, plan.items.filter(isFault), {
      ...createProcessFaults({ network, nodes: clients, start, ended }),
      ...createPathFaults({ network, server: redis.node, clients }),
      ...createRedisFaults(simulation, redis, () => undefined),
      ...createPostgresFaults({ network, pair, clients }),
    })
  }

  get nodes(): readonly SimulatedNode[] {
    return [...this.replicas.keys()]
  }

  #start(node: SimulatedNode) {
    const replica = this.replicas.get(node)
    const start = async () => {
      await replica?.start()
      if (replica) replica.openSince = this.simulation.now
    }
    this.simulation.start(node, () => void start().catch((error: Error) => this.#startAgain(node, error)))
  }

  /** a process that cannot start ends */
  #startAgain(node: SimulatedNode, { message }: Error) {
    const { simulation, network } = this
    simulation.tell(`does not start: ${message}`, node)
    const { life } = node
    const end = () => {
      if (node.life !== life) return
      network.dropAll(node, false)
      simulation.kill(node)
      simulation.after(againMs, () => node.isDown && this.#start(node), simulation.world)
    }
    simulation.after(0, end, simulation.world)
  }

  readonly failed = (error: unknown) => void (this.simulation.failure ??= error)

  break(promise: string) {
    this.failed(new Broken(promise))
  }

  /** runs in an event of the replica; nothing comes of it if that is gone, or not ready */
  at(node: SimulatedNode, act: (replica: Replica) => Promise<unknown>, afterMs = 0) {
    const replica = this.replicas.get(node)
    if (!replica || node.isDown) return
    const run = () => {
      if (replica.parts) act(replica).catch(this.failed)
    }
    this.simulation.after(afterMs, run, node)
  }

  #kept() {
    const node = this.dying
    this.dying = undefined
    if (!node) return
    const { simulation } = this
    const die = () => {
      if (node.isDown) return
      simulation.tell('is killed when its change is kept', node)
      this.network.dropAll(node, false)
      simulation.kill(node)
      this.replicas.get(node)?.end()
      simulation.after(awayMs, () => node.isDown && this.#start(node), simulation.world)
    }
    simulation.after(0, die, simulation.world)
  }

  /** what the primary holds, or held when it ended: a failover may lose that something was taken away */
  isTaken({ id, key }: Grant): boolean {
    const { rows } = this.postgres.primary
    const text =
      key === undefined
        ? 'SELECT id FROM connections WHERE id = $1 AND version = 1'
        : 'SELECT id FROM keys WHERE id = $1 AND revoked_at IS NULL'
    return rows.run({ text, values: [id], at: 0 }).rows.length === 0
  }
}
