// Callers that look at containers they were told of, use them and delete them.
import type { Random } from '../../../../base/test/simulator/random.ts'
import type { Around, Callers } from './callers.ts'
import type { Known } from './expectations.ts'
import type { Act } from './plan.ts'
import type { Outcome } from './service.ts'
import type { ContainersWorld } from './world.ts'

/** what was begun is waited for first */
const [deletionMs, lookMs, useMs] = [520_000, 10_000, 60_000]
const tries = 4
const againMs = [100, 4_000] as const
/** a sweep writes activity every 2 s */
const unwrittenMs = 3_000

type Shown = Readonly<Record<string, unknown>>

export class Acts {
  readonly #world: ContainersWorld
  readonly #callers: Callers

  constructor(world: ContainersWorld, callers: Callers) {
    this.#world = world
    this.#callers = callers
  }

  begin({ kind, copies, atMs, forMs }: Act) {
    const random = this.#world.simulation.random.fork(`${kind} ${atMs}`)
    const { expectations } = this.#world
    const { known: all, kept } = expectations
    const running = () => kept.filter(({ status }) => status === 'running')
    const known = random.pick(kind === 'look' ? [...all.values()] : kind === 'work' ? running() : kept)
    if (!known) return
    for (let n = 0; n < copies; n++) {
      if (kind === 'delete') this.#delete(known, random, tries)
      else if (kind === 'look') this.look(known)
      else if (kind === 'use') this.#use(known)
      else this.#work(known, forMs)
    }
  }

  #delete(known: Known, random: Random, left: number) {
    const { simulation } = this.#world
    this.delete(known, random.below(3), (outcome) => {
      if (left > 1 && (!outcome || outcome.status >= 500))
        simulation.after(random.between(...againMs), () => this.#delete(known, random, left - 1), simulation.world)
    })
  }

  delete(known: Known, graceSeconds: number, heard: (outcome: Outcome | undefined) => void) {
    const { id, account } = known
    known.isDeletionAsked = true
    this.#callers.ask({
      name: `delete ${id}`,
      mostMs: deletionMs,
      act: (service) => service.delete(account, id, graceSeconds),
      heard: (outcome) => {
        if (outcome) this.#checkDeleted(known, outcome)
        heard(outcome)
      },
    })
  }

  #checkDeleted(known: Known, { code, body }: Outcome) {
    const { engine } = this.#world
    if (code === 'container_not_found') this.#world.break('a container that a caller was told of is found')
    if (code !== '200') return
    const deletedAt = String(body['deletedAt'])
    if (body['status'] !== 'deleted' || (known.deletedAt ?? deletedAt) !== deletedAt)
      this.#world.break('a repeated deletion has the same answer')
    known.deletedAt = deletedAt
    if (engine.containers.has(known.id)) this.#world.break('a deleted container is gone from the engine')
    if (this.#world.row(known.id)?.['status'] !== 'deleted') this.#world.break('a deletion stays')
  }

  look(known: Known) {
    const { account, id, uses } = known
    const usedAt = uses > 0 && !this.#world.hasClock ? Math.floor(this.#world.node.now()) : 0
    const hears = (check: (items: readonly Shown[]) => void) => (outcome: Outcome | undefined) => {
      if (outcome?.code === 'container_not_found') this.#world.break('a container that a caller was told of is found')
      if (outcome?.code === '200') check(outcome.body['items'] as readonly Shown[])
    }
    this.#callers.ask({
      name: 'list',
      mostMs: lookMs,
      act: (service) => service.list(account, id),
      heard: hears(([item]) => {
        if (known.deletedAt !== undefined && item?.['status'] !== 'deleted') this.#world.break('a deletion stays')
        if (item?.['status'] === 'running' && Date.parse(String(item['lastActivityAt'])) < usedAt)
          this.#world.break('a container in use is active')
      }),
    })
    this.#callers.ask({
      name: 'list',
      mostMs: lookMs,
      act: (service) => service.list(account),
      heard: hears((items) => this.#checkList(account, items)),
    })
  }

  #checkList(account: string, items: readonly Shown[]) {
    const shown = new Set(items.map((item) => item['id']))
    for (const one of this.#world.expectations.kept)
      if (
        one.account === account &&
        !shown.has(one.id) &&
        this.#isOld(one) &&
        this.#world.row(one.id)?.['status'] !== 'deleted'
      )
        this.#world.break('a list shows every container that is not deleted')
  }

  /** it was there before the list began */
  #isOld({ id }: Known): boolean {
    return this.#world.now() - Number(this.#world.row(id)?.['started_at'] ?? 0) > lookMs
  }

  #use(known: Known) {
    const { id, account } = known
    this.#callers.ask({
      name: `use ${id}`,
      mostMs: useMs,
      act: (service) => service.use(account, id),
      heard: (outcome, around) => outcome && this.#checkUse(known, outcome, around),
    })
  }

  #checkUse({ id, isDeletionAsked }: Known, { code }: Outcome, { isSettled }: Around) {
    const { engine } = this.#world
    const row = this.#world.row(id)
    const isDue = Number(row?.['expires_at']) <= this.#world.now() || row?.['idle_ms'] !== null
    if (code === 'container_not_found') this.#world.break('a container that a caller was told of is found')
    if (code === 'container_not_running' && row?.['status'] === 'running' && !isDeletionAsked && !isDue)
      this.#world.break('a container that is gone says so at once when it is used')
    if (
      isSettled &&
      code === 'container_not_running' &&
      engine.containers.get(id)?.state === 'running' &&
      !isDeletionAsked &&
      !isDue
    )
      this.#world.break('a container that runs can be used')
  }

  /** a use that lasts, of a container that runs */
  #work(known: Known, forMs: number) {
    const { simulation, node } = this.#world
    const { life } = node
    const work = () => {
      const { service } = this.#world
      if (!service || this.#world.row(known.id)?.['status'] !== 'running') return
      known.uses++
      let isOver = false
      const release = service.containers.work.begin(known.id, () => over())
      const over = () => {
        release()
        if (isOver || life !== node.life) return
        isOver = true
        known.uses--
        known.activeAt = this.#world.node.now()
      }
      // an event of the world: idle time that is left out does not make it longer
      simulation.after(forMs, () => simulation.after(0, over, node), simulation.world)
    }
    simulation.after(1, work, node)
  }

  /** what was under way is over, and what was not yet written is forgotten */
  serviceEnded() {
    const { faults, expectations } = this.#world
    const wasWritten = faults.isQuiet(100_000, ({ kind }) => kind !== 'kill' && kind !== 'restart' && kind !== 'drift')
    for (const known of expectations.known.values()) {
      const written = Number(this.#world.row(known.id)?.['active_at'] ?? 0)
      const now = this.#world.node.now() - unwrittenMs
      known.activeAt = wasWritten ? (known.uses > 0 ? now : Math.min(known.activeAt, now)) : written
      known.uses = 0
    }
  }
}
