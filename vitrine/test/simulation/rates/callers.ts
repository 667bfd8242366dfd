// The callers of the keys: bursts at one replica or at all, of which some come again when they were told to.
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import { drift, KeyOracle, messageMs } from './oracles.ts'
import type { Burst } from './plan.ts'
import type { RatesWorld } from './world.ts'

interface Asked {
  readonly key: number
  readonly retries: boolean
  readonly looks: boolean
  /** it was refused, and told to come from then on */
  readonly freeFrom?: number
}

export class Callers {
  readonly #world: RatesWorld
  readonly #oracles: readonly KeyOracle[]
  readonly outcomes = { accepted: 0, refused: 0, 'accepted again': 0 }
  readonly #waiting = new Set<{ readonly node: SimulatedNode; readonly life: number }>()
  /** when one last asked or had an answer */
  activeAt = 0
  /** since the load was last looked at */
  begun = 0

  constructor(world: RatesWorld) {
    this.#world = world
    this.#oracles = world.plan.limits.map((limit) => new KeyOracle(world, limit))
  }

  /** a caller waits; those of a process that ended do not count */
  isBusy(): boolean {
    return [...this.#waiting].some(({ node, life }) => node.life === life)
  }

  burst({ count, forMs, key, node: name, retries, looks }: Omit<Burst, 'kind' | 'atMs'>) {
    const { simulation, nodes } = this.#world
    const random = simulation.random.fork(`burst ${simulation.now} ${key}`)
    const at = nodes.find((one) => one.name === name)
    for (let i = 0; i < count; i++) {
      const node = at ?? random.pick(nodes)
      simulation.after(random.between(0, forMs), () => this.#ask(node, { key, retries, looks }), simulation.world)
    }
  }

  /** in an event of the replica; nothing comes of it if that is gone, or not ready */
  #ask(node: SimulatedNode, asked: Asked) {
    if (node.isDown) return
    const own = { node, life: node.life }
    this.#waiting.add(own)
    const run = () =>
      void this.#take(node, asked)
        .catch(this.#world.failed)
        .finally(() => this.#waiting.delete(own))
    this.#world.simulation.after(0, run, node)
  }

  async #take(node: SimulatedNode, { key, retries, looks, freeFrom }: Asked) {
    const { simulation, replicas } = this.#world
    const [replica, oracle] = [replicas.get(node), this.#oracles[key]]
    if (!replica || !oracle) return
    const rated = { id: `key ${key}`, perMinute: oracle.limit }
    this.begun++
    if (looks) {
      const accepted = oracle.accepted()
      const shown = await replica.rates.look(rated)
      oracle.checkLook(shown?.remaining ?? -1, accepted)
    }
    const asking = oracle.begin(node, freeFrom)
    const allowance = await replica.rates.take(rated)
    this.activeAt = simulation.now
    if (!allowance) return this.#world.break('a key with a limit has one')
    const isAgain = freeFrom !== undefined && allowance.allowed
    this.outcomes[allowance.allowed ? (isAgain ? 'accepted again' : 'accepted') : 'refused']++
    const { allowed, remaining, resetSec } = allowance
    simulation.tell(`key ${key}: ${allowed ? 'accepted' : 'refused'}, ${remaining} left, ${resetSec} s`)
    asking.ended(allowance)
    if (allowed || !retries) return
    const waitMs = resetSec * 1_000 * (1 + drift) + messageMs
    const again = { key, retries: false, looks, freeFrom: simulation.now + waitMs }
    simulation.after(waitMs, () => this.#ask(node, again), simulation.world)
  }
}
