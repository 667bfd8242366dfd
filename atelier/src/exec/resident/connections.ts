// The connections to residents, one for each container and user. Where the container's first process is a resident of that user,
// it is attached to; otherwise the resident is started once by the engine's exec.
import { LRUCache } from 'lru-cache'
import type { Engine, EngineError } from '../../engine/port.ts'
import { residentPath } from '../../engine/resident.ts'
import { type ConnectionOptions, greet, type ResidentConnection } from './connection.ts'
import type { Place } from './loss.ts'

/** on Podman the input of a container ends for good with the first connection to it, and no greeting is answered any more */
const attachedMs = 1_500
const openedMs = 5_000
const idleMs = 60_000
/** where no resident answered, commands go by the engine's exec for so long */
const withoutMs = 60_000
const mostWithout = 10_000
/** of one container: each is a process in it and another one of the engine */
const mostResidents = 8

const keyOf = ({ container, user }: Place) => `${container} ${user}`

interface Known {
  readonly connecting: Promise<ResidentConnection | undefined>
  /** once it is connected */
  connection: ResidentConnection | undefined
}

type ExplainLoss = (place: Place, commands: readonly string[]) => Promise<EngineError>

export class ResidentConnections {
  readonly #engine: Engine
  readonly #explainLoss: ExplainLoss
  /** by container and user; of a container, the one used longest ago comes first */
  readonly #known = new Map<string, Map<string, Known>>()
  readonly #without = new LRUCache<string, true>({ max: mostWithout, ttl: withoutMs })
  readonly #unattachable = new LRUCache<string, true>({ max: mostWithout })

  constructor(engine: Engine, explainLoss: ExplainLoss) {
    this.#engine = engine
    this.#explainLoss = explainLoss
  }

  /** undefined: no resident answers there, or the container has as many as it may */
  async to(place: Place): Promise<ResidentConnection | undefined> {
    if (this.#without.has(keyOf(place))) return undefined
    const { container, user } = place
    const known = this.#known.get(container)?.get(user)
    if (!known && !this.#makesRoom(container)) return undefined
    const used = known ?? this.#connectOnce(place)
    const all = this.#known.get(container) ?? new Map<string, Known>()
    this.#known.set(container, all)
    all.delete(user)
    all.set(user, used)
    return used.connecting
  }

  async known({ container, user }: Place): Promise<ResidentConnection | undefined> {
    return this.#known
      .get(container)
      ?.get(user)
      ?.connecting.catch(() => undefined)
  }

  /** Closes the connection used longest ago if there are too many; false: all of them have commands. */
  #makesRoom(container: string): boolean {
    const all = this.#known.get(container)
    if (!all || all.size < mostResidents) return true
    const idle = [...all].find(([, { connection }]) => connection?.isIdle)
    if (!idle) return false
    all.delete(idle[0])
    idle[1].connection?.close()
    return true
  }

  #connectOnce(place: Place): Known {
    const { container, user } = place
    const known: Known = { connecting: this.#connect(place), connection: undefined }
    const forget = () => {
      const all = this.#known.get(container)
      if (all?.get(user) === known) all.delete(user)
      if (all?.size === 0) this.#known.delete(container)
    }
    const follow = async () => {
      known.connection = await known.connecting
      if (!known.connection) this.#without.set(keyOf(place), true)
      await known.connection?.lost
    }
    void follow()
      .catch(() => undefined)
      .finally(forget)
    return known
  }

  async #connect(place: Place) {
    const resident = await this.#engine.resident(place.container)
    if (!resident) return undefined
    const attached = resident.isFirst && resident.user === place.user ? await this.#attach(place) : undefined
    return attached ?? this.#open(place)
  }

  async #attach(place: Place) {
    const { container } = place
    if (this.#unattachable.has(container)) return undefined
    const connection = await greet(await this.#engine.attach(container), attachedMs, this.#options(place, null))
    if (!connection) this.#unattachable.set(container, true)
    return connection
  }

  async #open(place: Place) {
    const wish = { ...place, argv: [residentPath], env: {}, workingDir: '/', input: true }
    return greet(await this.#engine.open(wish), openedMs, this.#options(place, idleMs))
  }

  #options(place: Place, idle: number | null): ConnectionOptions {
    return { idleMs: idle, explainLoss: (commands) => this.#explainLoss(place, commands) }
  }
}
