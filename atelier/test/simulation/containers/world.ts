// The installation of a plan on the nodes of one simulation: a service process, the store that outlives it, the engine, their
// callers and the faults, and what is looked at while it runs.
import type { SqlRow } from '../../../../base/store/sql.ts'
import { RunningFaults } from '../../../../base/test/simulator/faults/running.ts'
import { Network } from '../../../../base/test/simulator/network.ts'
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import type { Scene } from '../../../../base/test/simulator/run-scene.ts'
import { Simulation } from '../../../../base/test/simulator/simulation.ts'
import { Broken } from '../../../../base/test/simulator/subject.ts'
import type { Event } from '../../../src/events.ts'
import { Callers } from './callers.ts'
import { type Made, SimulatedEngine } from './engine.ts'
import { useEngineNetwork } from './engine-connection.ts'
import { createFaults } from './faults.ts'
import { Expectations } from './expectations.ts'
import { isFault, type Item, type Plan, type PlannedFault } from './plan.ts'
import { Recovery } from './recovery.ts'
import { RowOracles } from './row-oracles.ts'
import { ServiceProcess } from './service.ts'
import { SimulatedStore } from './store.ts'

/** A call that the engine never answers ends after a minute, and 20 s later containers and rows are compared again. */
export const settledMs = 100_000
/** of a service and an engine that work */
const [mostRequests, awakeMs] = [150, 10_000]
const stepsBack = (fault: PlannedFault) => fault.kind === 'clock'

export class ContainersWorld implements Scene<Item> {
  readonly plan: Plan
  readonly network: Network
  readonly simulation: Simulation
  readonly store: SimulatedStore
  readonly engine: SimulatedEngine
  readonly node: SimulatedNode
  readonly expectations = new Expectations()
  readonly faults: RunningFaults<PlannedFault>
  readonly callers: Callers
  readonly rows: RowOracles
  /** containers that the engine ended by itself, or lost */
  readonly lost = new Set<string>()
  service: ServiceProcess | undefined
  readonly #acts = { noted: () => {} }
  /** the latest that the clock of the service said */
  #latest = 0
  #requests = 0
  readonly #hasClock: boolean

  constructor(plan: Plan) {
    this.plan = plan
    this.simulation = new Simulation(plan.seed)
    this.network = new Network(this.simulation)
    const acted = () => this.#acts.noted()
    this.store = new SimulatedStore(this.simulation.random.fork('store'), plan.storeMs, acted)
    this.node = this.simulation.addNode('service')
    this.engine = new SimulatedEngine(this.network, plan.isPodman, {
      acted,
      created: (made) => this.#created(made),
      ends: (made) => this.#ends(made),
      imageRemoved: (tag) => this.break(`an image that has a row stays, and not ${tag} alone`),
    })
    useEngineNetwork(this.network, this.engine.node)
    const planned = plan.items.filter(isFault)
    this.#hasClock = planned.some(stepsBack)
    const { network, engine, store, node: service } = this
    const faults = createFaults({
      network,
      engine,
      store,
      service,
      start: () => this.#start(),
      ended: () => this.#ended(),
      acts: this.#acts,
      // the store may refuse the last of its activity
      leave: () => void this.service?.stop().catch(() => {}),
      lost: ({ name }) => void this.lost.add(name),
    })
    this.faults = new RunningFaults(this.simulation, planned, faults)
    this.callers = new Callers(this)
    this.rows = new RowOracles(this)
    this.#addImage()
    engine.start()
    this.#start()
  }

  get outcomes(): Readonly<Record<string, number>> {
    return this.callers.outcomes
  }

  #addImage() {
    const [id, engineId] = ['img_base', `sha256:${'ab'.repeat(32)}`]
    this.engine.images.set(id, engineId)
    const config = { command: null, entrypoint: null, workingDir: '/', user: null, env: {}, labels: {} }
    this.store.look(
      `INSERT INTO images (id, account, name, status, config, engine_id, created_at) VALUES (?, NULL, 'base', 'ready', ?, ?, 0)`,
      id,
      JSON.stringify(config),
      engineId,
    )
  }

  #start() {
    const { life } = this.node
    const observe = (event: Event) => life === this.node.life && this.#observe(event)
    this.simulation.start(this.node, () => (this.service = new ServiceProcess(this.store, observe)))
  }

  #ended() {
    this.service = undefined
    this.callers.serviceEnded()
  }

  #observe(event: Event) {
    if (event.kind === 'engine_away' || event.kind === 'engine_back') this.simulation.tell(event.kind, this.node)
    if (event.kind === 'container_ended')
      this.simulation.tell(`${event.containerId} is ${event.status}: ${event.reason}`, this.node)
    if (event.kind !== 'reconciled') return
    this.simulation.tell(`reconciles: ${event.removed} removed, ${event.lost} lost`, this.node)
    if (this.isSettled() && event.lost > 0) this.break('a lost container is counted once')
  }

  readonly failed = (error: unknown) => void (this.simulation.failure ??= error)

  break(promise: string) {
    this.failed(new Broken(promise))
  }

  /** by the clock of the service; of one that was set, the latest that it said */
  now(): number {
    const now = this.node.now()
    this.#latest = Math.max(this.#latest, now)
    return this.#hasClock ? this.#latest : now
  }

  get hasClock(): boolean {
    return this.#hasClock
  }

  /** nothing is broken, and was for so long that all is in order again */
  isSettled(): boolean {
    return !this.node.isDown && this.faults.isQuiet(settledMs) && this.simulation.now > settledMs
  }

  row(id: string): SqlRow | undefined {
    return this.store.look('SELECT * FROM containers WHERE id = ?', id)[0]
  }

  #created({ name }: Made) {
    if (this.isSettled() && this.row(name)?.['status'] !== 'creating')
      this.break('a container has its row before the engine hears of it')
  }

  /** the service stops or removes it */
  #ends({ name, labels }: Made) {
    if (labels['atelier.instance'] !== 'main')
      this.break(`what belongs to others is not touched, and not ${name} ended`)
    const known = this.expectations.known.get(name)
    if (!known || known.isDeletionAsked) return
    const row = this.row(name)
    const now = this.now()
    const idleMs = row?.['idle_ms'] as number | null | undefined
    const isIdle = typeof idleMs === 'number' && known.uses === 0 && known.activeAt + idleMs <= now
    if (!(Number(row?.['expires_at']) <= now || isIdle))
      this.break('a container that a caller was told of is ended when it is due or deleted, and not before')
  }

  begin(item: Item) {
    if (isFault(item)) {
      this.now()
      this.faults.begin(item)
    } else if (item.kind === 'create') this.callers.create(item)
    else this.callers.act(item)
  }

  calm() {
    new Recovery(this).begin()
  }

  look(everyMs: number) {
    this.now()
    this.rows.look()
    const asked = this.engine.requests - this.#requests
    this.#requests = this.engine.requests
    const most = mostRequests * (everyMs / 1_000)
    if (asked > most)
      this.break(`the engine is asked at most ${most} times in ${everyMs / 1_000} s, and not ${asked} times`)
  }

  readonly isIdle = (): boolean => {
    const { simulation, callers, engine } = this
    if (callers.isBusy() || simulation.now - callers.activeAt < awakeMs || simulation.now < engine.actsUntil)
      return false
    return this.faults.isSteady(awakeMs) && this.rows.isInOrder()
  }
}
