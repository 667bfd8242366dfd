// What is promised for the time after all faults: soon every replica answers from the primary, and an act takes effect everywhere.
import type { Callers } from './callers.ts'
import type { World } from './world.ts'

/** a start waits 15 s for its database, and a Redis is doubted for 5 s */
const recoveryMs = 25_000

export class Recovery {
  readonly #world: World
  readonly #callers: Callers

  constructor(world: World, callers: Callers) {
    this.#world = world
    this.#callers = callers
  }

  begin() {
    const { simulation } = this.#world
    simulation.tell('all faults are over')
    simulation.after(recoveryMs, () => this.#look(), simulation.world)
    simulation.after(recoveryMs + 1_000, () => this.#takeOne(), simulation.world)
    simulation.after(recoveryMs + 20_000, () => this.#compare(), simulation.world)
  }

  #look() {
    for (const [node, { parts }] of this.#world.replicas) {
      if (!parts) this.#world.break('a replica starts again')
      else if (!parts.outage.isStoreUp()) this.#world.break('a database that is there counts as there')
      else if (parts.outage.unpublishedUntil() !== undefined)
        this.#world.break('what was not told to all replicas is told in the end')
      else if (parts.redis?.isUp() === false) this.#world.break('a replica comes back to its Redis')
      this.#world.at(node, async ({ parts: open }) => {
        const isReadable = await open?.store.readable().catch(() => false)
        if (isReadable !== true) this.#world.break('a replica over a database that is there is ready')
      })
    }
  }

  /** the oracles hear of each use, and all is quiet */
  #takeOne() {
    const [kept, taken] = this.#callers.lasting
    const [node] = this.#world.nodes
    if (!kept || !taken || !node) return this.#world.break('all is granted in the beginning')
    for (const one of this.#world.nodes) this.#callers.use(one, kept)
    this.#callers.take(node, 'connections.remove', taken, false, 1)
  }

  #compare() {
    const [a, b] = this.#world.postgres.servers
    if (this.#callers.isBusy) this.#world.break('every caller has an answer in the end')
    if (a.position !== b.position) this.#world.break('the standby has all that its primary has')
    const [, taken] = this.#callers.lasting
    if (taken && !this.#world.isTaken(taken))
      this.#world.break('what is taken away while nothing is broken is taken away')
  }
}
