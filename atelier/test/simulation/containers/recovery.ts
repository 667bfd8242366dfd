// What is promised for the time after all faults: containers can be deleted, as many as the limit be created, and a repeat says the
// same of each.
import type { Creation } from './creations.ts'
import { accounts, type Create, type Item } from './plan.ts'
import { mostContainers } from './service.ts'
import { type ContainersWorld, settledMs } from './world.ts'

const [stepMs, marginMs] = [20_000, 5_000]

export class Recovery {
  readonly #world: ContainersWorld

  constructor(world: ContainersWorld) {
    this.#world = world
  }

  begin() {
    const { simulation } = this.#world
    simulation.tell('all faults are over')
    let atMs = simulation.now + settledMs + marginMs
    const steps = [
      () => this.#repeatAll(),
      () => this.#deleteAll(),
      () => this.#createAll(),
      () => this.#createAll(),
      () => this.#lookAtAll(),
      () => this.#deleteAll(),
      () => this.#checkEmpty(),
    ]
    for (const step of steps) {
      simulation.at(atMs, simulation.world, step)
      atMs += stepMs
    }
  }

  /** what was cut off is made or refused, and in progress no longer */
  #repeatAll() {
    const isKeyed = (item: Item): item is Create => item.kind === 'create' && item.key !== undefined
    for (const item of this.#world.plan.items.filter(isKeyed))
      this.#world.callers.creations.send({ ...item, label: 'first' }, () => {})
  }

  #deleteAll() {
    const { expectations, callers } = this.#world
    for (const known of expectations.known.values())
      callers.acts.delete(known, 0, (outcome) => {
        if (outcome?.code !== '200')
          this.#world.break(`once all is well containers can be deleted, and not ${outcome?.code}`)
      })
  }

  #createAll() {
    for (const account of accounts)
      for (let n = 0; n < mostContainers; n++) {
        const creation: Creation = {
          account,
          key: `last ${n}`,
          label: 'first',
          name: `name-${n}`,
          ttlSeconds: 3_600,
          idleTimeoutSeconds: null,
          command: n % 2 === 0 ? 'run' : null,
        }
        this.#world.callers.creations.send(creation, (outcome) => {
          if (outcome?.code !== '201')
            this.#world.break(
              `once all is well as many containers as the limit can be created, and not ${outcome?.code}`,
            )
        })
      }
  }

  #lookAtAll() {
    const { expectations, callers } = this.#world
    for (const known of expectations.kept) callers.acts.look(known)
    for (const { id } of expectations.kept)
      if (this.#world.row(id)?.['status'] !== 'running') this.#world.break('a new container runs')
  }

  #checkEmpty() {
    this.#world.callers.checkNone()
    if (
      [...this.#world.engine.containers.keys()].some((name) => name.startsWith('ct_') && !name.startsWith('ct_theirs'))
    )
      this.#world.break('nothing is left of deleted containers')
  }
}
