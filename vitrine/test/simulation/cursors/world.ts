// The installation of a plan on the nodes of one simulation: replicas with one key for cursors, the database whose clock dates them,
// the platform, and the faults between them.
import { createPathFaults } from '../../../../base/test/simulator/faults/paths.ts'
import { createProcessFaults } from '../../../../base/test/simulator/faults/process.ts'
import { type Begin, type Begins, RunningFaults } from '../../../../base/test/simulator/faults/running.ts'
import { Network } from '../../../../base/test/simulator/network.ts'
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import { Simulation } from '../../../../base/test/simulator/simulation.ts'
import { Broken } from '../../../../base/test/simulator/subject.ts'
import { Platform } from './platform.ts'
import { type FaultName, isFault, type Lie, type Plan, type PlannedFault } from './plan.ts'
import { Replica } from './replica.ts'

export class CursorsWorld {
  readonly plan: Plan
  readonly simulation: Simulation
  readonly network: Network
  readonly platform: Platform
  readonly database: SimulatedNode
  readonly nodes: readonly SimulatedNode[]
  readonly replicas = new Map<SimulatedNode, Replica>()
  readonly faults: RunningFaults<PlannedFault>
  #keys = 0

  constructor(plan: Plan) {
    this.plan = plan
    const simulation = new Simulation(plan.seed)
    this.simulation = simulation
    this.network = new Network(simulation)
    this.platform = new Platform(this.network, plan.rows)
    this.database = simulation.addNode('database')
    this.nodes = Array.from({ length: plan.replicas }, (_, n) => simulation.addNode(`replica ${n + 1}`))
    this.faults = new RunningFaults(simulation, plan.items.filter(isFault), this.#createFaults())
    for (const node of this.nodes) this.#start(node)
  }

  #start(node: SimulatedNode) {
    this.simulation.start(node, () => this.#open(node))
  }

  #open(node: SimulatedNode) {
    const now = () => this.database.now()
    const key = Buffer.alloc(32, this.#keys)
    this.replicas.set(node, new Replica(node, this.platform, key, now, this.plan.isStable))
  }

  #createFaults(): Begins<FaultName> {
    const { network, platform, database } = this
    const nodes = new Map(this.nodes.map((node) => [node.name, node]))
    const start = (node: SimulatedNode) => this.#start(node)
    const ended = (node: SimulatedNode) => void this.replicas.delete(node)
    const lie =
      (name: Lie): Begin =>
      ({ amount }) => {
        platform.state.lies.add(name)
        platform.state.circleBack = amount
        return () => {
          platform.state.lies.delete(name)
          platform.endCircles()
        }
      }
    return {
      ...createProcessFaults({ network, nodes, start, ended }),
      ...createPathFaults({ network, server: platform.node, clients: nodes }),
      'ends early': lie('ends early'),
      circle: lie('circle'),
      'other query': lie('other query'),
      'other path': lie('other path'),
      failing({ amount }) {
        platform.state.fails = amount
        return () => (platform.state.fails = 0)
      },
      clock({ amount }) {
        database.step(amount)
        return undefined
      },
      'new key': ({ forMs }) => this.#renewKey(forMs),
    }
  }

  /** one replica after the other starts with it */
  #renewKey(forMs: number): undefined {
    this.#keys++
    for (const [i, node] of this.nodes.entries()) {
      const open = () => node.isDown || this.#open(node)
      this.simulation.after((i * forMs) / this.nodes.length, open, this.simulation.world)
    }
  }

  readonly failed = (error: unknown) => void (this.simulation.failure ??= error)

  break(promise: string) {
    this.failed(new Broken(promise))
  }
}
