// The service process of the simulation: the product's own containers, sweeps, idempotency and engine client, and requests as its
// routes perform them.
import { createIdempotency, type Idempotency } from '../../../src/api/idempotency.ts'
import type { Answer, RouteRequest } from '../../../src/api/route.ts'
import { type Containers, createContainers } from '../../../src/containers/containers.ts'
import { type Sweep, startSweep } from '../../../src/containers/sweep.ts'
import { watchedEngine } from '../../../src/engine/watched.ts'
import type { Egress } from '../../../src/egress/egress.ts'
import { createEngine } from '../../../src/engine/create-engine.ts'
import type { Engine } from '../../../src/engine/port.ts'
import { toProblem } from '../../../src/engine/problems.ts'
import type { Event } from '../../../src/events.ts'
import { makeId } from '../../../src/ids.ts'
import { Checkpoints } from '../../../src/images/cache/checkpoints.ts'
import { createImages } from '../../../src/images/images.ts'
import { Problem } from '../../../src/problems.ts'
import { createContainer, deleteContainer, listContainers } from '../../../src/routes/containers.ts'
import type { Service } from '../../../src/routes/service.ts'
import { limitsOf, readSettings } from '../../../src/settings.ts'
import { type Store, storeOver } from '../../../src/store/store.ts'
import { instance } from './engine.ts'
import type { SimulatedStore } from './store.ts'

const settings = readSettings({ listen: '127.0.0.1:8090', ssh: null }, {})
/** of an account */
export const mostContainers = 3
const limits = { ...limitsOf(settings), containers: mostContainers }

/** no container of the simulation reaches a network */
const egress = {
  settle: () => null,
  environmentOf: () => ({}),
  keep: async () => null,
  open: async () => {},
  reopen: async () => {},
  forget: async () => {},
} as unknown as Egress

export interface Outcome {
  readonly status: number
  readonly code: string
  readonly body: Readonly<Record<string, unknown>>
  readonly isReplayed: boolean
}

export interface CreateRequest {
  readonly account: string
  readonly key: string | undefined
  readonly body: object
}

const noBuilder = { cancel: async () => false, isAtWork: () => false }

const outcomeOf = ({ status, body = {} }: Answer, isReplayed: boolean): Outcome => ({
  status,
  code: String(status),
  body: body as Outcome['body'],
  isReplayed,
})

async function answered(act: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await act()
  } catch (error) {
    const problem = toProblem(error)
    if (!(problem instanceof Problem)) throw error
    const { code, row } = problem
    return { status: row.status, code, body: {}, isReplayed: false }
  }
}

export class ServiceProcess {
  readonly containers: Containers
  readonly engine: Engine
  readonly #store: Store
  readonly #sweep: Sweep
  readonly #idempotency: Idempotency

  constructor(simulated: SimulatedStore, observe: (event: Event) => void) {
    const now = () => Date.now()
    const store = storeOver(simulated.open())
    const engine = createEngine({ socket: '/engine.sock', instance, runtime: null })
    const rooms = { engine, images: store.images, rows: store.containers, limits, isEgressAllowed: false }
    const containers = createContainers({ ...rooms, egress, forgotten: async () => {}, now, observe })
    const checkpoints = new Checkpoints({
      engine,
      rows: store.checkpoints,
      bounds: { checkpoints: 0, bytes: 0 },
      now,
    })
    const images = createImages({
      engine,
      rows: store.images,
      containers: store.containers,
      builder: noBuilder,
      checkpoints,
      now,
      observe,
    })
    this.engine = engine
    this.containers = containers
    this.#store = store
    this.#idempotency = createIdempotency(store.idempotency, now)
    const [isBuilding, endCommands] = [() => false, async () => {}]
    this.#sweep = startSweep({
      engine: watchedEngine(engine, observe),
      rows: store.containers,
      containers,
      isBuilding,
      images,
      endCommands,
      now,
      observe,
    })
  }

  get #service(): Service {
    const page = async (
      _place: object,
      { limit }: { limit: number },
      read: (after: undefined, most: number) => Promise<{ readonly items: readonly object[] }>,
    ) => ({
      items: (await read(undefined, limit)).items,
      nextCursor: null,
    })
    return { containers: this.containers, store: this.#store, page } as unknown as Service
  }

  #request(account: string, given: Partial<RouteRequest>): RouteRequest {
    const caller = { account, keyId: 'key', session: undefined }
    return { caller, body: undefined, query: {}, madeId: '', exchange: { query: '' }, ...given } as RouteRequest
  }

  /** as the API's server performs it */
  create({ account, key, body }: CreateRequest): Promise<Outcome> {
    const id = makeId('ct')
    const make = async () =>
      (await createContainer.run(this.#request(account, { body, madeId: id }), this.#service)) as Answer
    const recall = async (madeId: string) => createContainer.recall?.(this.#request(account, { madeId }), this.#service)
    return answered(async () => {
      if (key === undefined) return outcomeOf(await make(), false)
      const place = { account, route: createContainer.operationId, key, content: body }
      const { answer, isReplayed } = await this.#idempotency(place, { id, make, recall })
      return outcomeOf(answer, isReplayed)
    })
  }

  delete(account: string, id: string, graceSeconds: number): Promise<Outcome> {
    const request = this.#request(account, { query: { id, graceSeconds } })
    return answered(async () => outcomeOf((await deleteContainer.run(request, this.#service)) as Answer, false))
  }

  /** one by its id, or all of the account */
  list(account: string, id?: string): Promise<Outcome> {
    const query = { id, status: undefined, name: undefined, label: [], limit: 200, cursor: undefined }
    const request = this.#request(account, { query })
    return answered(async () => outcomeOf((await listContainers.run(request, this.#service)) as Answer, false))
  }

  /** asks for something that needs a running container, as a command does */
  use(account: string, id: string): Promise<Outcome> {
    return answered(async () => {
      await this.containers.running(account, id)
      try {
        await this.engine.processes(id)
      } catch (error) {
        throw await this.containers.explain(id, error)
      }
      return { status: 200, code: '200', body: {}, isReplayed: false }
    })
  }

  /** as after SIGTERM, save for callers that wait */
  async stop() {
    this.#sweep.close()
    await this.containers.writeActivity()
    this.engine.close()
  }
}
