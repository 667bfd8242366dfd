// The callers of a run and its operator: grants are used at all replicas, often just before and after one is taken away.
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import { Problem } from '../../../src/problems.ts'
import { actMs, type Oracles } from './oracles.ts'
import { type Act, type ActName, isFault, type Reads, warmMs } from './plan.ts'
import type { Grant, Replica } from './replica.ts'
import type { World } from './world.ts'

const lasting: readonly ActName[] = ['keys.revoke', 'connections.remove']
/** a little after each bound that could be meant */
const afterActMs = [0, 250, 520, 560, 620, 700, 800, 900, 1_010, 1_300, 2_000, 3_500]
/** where the half second within which records and marks are used ends for a slow message */
const [edgeMs, edgeUses] = [[510, 550], 8] as const
/** where all are told by a replica that reaches both */
const lateMs = [6_800, 7_600, 9_000, 12_000]
/** an operator whose act failed tries again */
const [againMs, mostTries] = [2_500, 4]
/** these mean that a try before this one was done, or another act */
const late = new Set(['key_not_live', 'store_unavailable'])

export class Callers {
  readonly outcomes: Record<string, number> = {}
  readonly #world: World
  readonly #oracles: Oracles
  readonly #random
  /** by the number of their act */
  readonly #granted = new Map<number, Grant>()
  /** never taken away */
  readonly lasting: Grant[] = []
  /** what is under way in a life of a replica */
  readonly #underWay = new Set<{ readonly node: SimulatedNode; readonly life: number }>()
  activeAt = 0

  constructor(world: World, oracles: Oracles) {
    this.#world = world
    this.#oracles = oracles
    this.#random = world.simulation.random.fork('callers')
  }

  get isBusy(): boolean {
    return [...this.#underWay].some(({ node, life }) => node.life === life && !node.isDown)
  }

  /** all that is used in the run is granted at the first replica */
  grantAll() {
    const [first] = this.#world.nodes
    const acts = this.#world.plan.items.filter((item) => !isFault(item) && item.kind === 'act')
    if (first)
      this.#world.at(first, async (replica) => {
        for (const act of lasting) this.lasting.push(await replica.grant(act, `lasting ${act}`))
        for (const { number, act } of acts) this.#granted.set(number, await replica.grant(act, `grant ${number}`))
      })
  }

  #begin(node: SimulatedNode) {
    const own = { node, life: node.life }
    this.#underWay.add(own)
    return (outcome: string) => {
      this.#underWay.delete(own)
      this.activeAt = this.#world.simulation.now
      this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1
    }
  }

  /** uses the grant, and says so to the oracles */
  use(node: SimulatedNode, grant: Grant, afterMs = 0) {
    const { simulation } = this.#world
    const use = async (replica: Replica) => {
      const begunAt = simulation.now
      const ended = this.#begin(node)
      const used = await replica.use(grant)
      ended(used)
      this.#oracles.used({ node, grant, begunAt, used })
    }
    simulation.after(afterMs, () => this.#world.at(node, use), simulation.world)
  }

  reads({ forMs, count }: Reads) {
    for (let i = 0; i < count; i++)
      this.use(this.#random.pick(this.#world.nodes), this.#random.pick(this.lasting), this.#random.between(0, forMs))
  }

  act({ number, act, replica, dies, isTriedLate }: Act) {
    const grant = this.#granted.get(number)
    const node = this.#world.nodes[replica]
    if (!grant || !node) return
    for (const other of this.#world.nodes)
      for (let i = 0; i < 20; i++) this.use(other, grant, this.#random.between(0, warmMs + 1_000))
    const { simulation } = this.#world
    simulation.after(warmMs, () => this.take(node, act, grant, dies), simulation.world)
    if (isTriedLate) for (const other of this.#world.nodes) for (const ms of lateMs) this.use(other, grant, warmMs + ms)
  }

  /** as an operator does: again, where it may not have happened */
  take(node: SimulatedNode, act: ActName, grant: Grant, dies = false, tries = mostTries) {
    const { simulation, faults } = this.#world
    const again = () => tries > 1 && this.take(node, act, grant, false, tries - 1)
    if (!this.#world.replicas.get(node)?.parts) simulation.after(againMs, again, simulation.world)
    this.#world.at(node, async (replica) => {
      const begunAt = simulation.now
      const ended = this.#begin(node)
      const settled = this.#oracles.begin(grant, node)
      if (dies) this.#world.dying = node
      const outcome = await replica.take(act, grant).catch((error: unknown) => error)
      settled()
      this.#world.dying = undefined
      if (simulation.now - begunAt > actMs && !faults.wasStopped(node, simulation.now - begunAt))
        this.#world.break(`an act ends within ${actMs} ms`)
      if (outcome instanceof Problem && late.has(outcome.code)) {
        ended(`${outcome.code} to the operator`)
        simulation.tell(`${act} fails: ${outcome.code}`, node)
        simulation.after(againMs, again, simulation.world)
      } else if (outcome instanceof Error) throw outcome
      else {
        const { isTold } = outcome as { readonly isTold: boolean }
        ended(isTold ? 'taken away' : 'taken away, not all are told')
        simulation.tell(`${act} is acknowledged${isTold ? '' : ', and not all replicas are told'}`, node)
        this.#oracles.acknowledged(grant, isTold)
      }
      this.#probe(grant)
    })
    // a process that ends says nothing
    if (dies) this.#probe(grant, actMs)
  }

  #probe(grant: Grant, fromMs = 0) {
    const atEdge = Array.from({ length: edgeUses }, () => this.#random.between(...edgeMs))
    for (const other of this.#world.nodes)
      for (const ms of [...afterActMs, ...atEdge]) this.use(other, grant, fromMs + ms)
  }
}
