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

const keyOf = ({ container, user }: Place) => `${container} ${user}`

type ExplainLoss = (place: Place, commands: readonly string[]) => Promise<EngineError>

export class ResidentConnections {
  readonly #engine: Engine
  readonly #explainLoss: ExplainLoss
  readonly #connections = new Map<string, Promise<ResidentConnection | undefined>>()
  readonly #without = new LRUCache<string, true>({ max: mostWithout, ttl: withoutMs })
  readonly #unattachable = new LRUCache<string, true>({ max: mostWithout })

  constructor(engine: Engine, explainLoss: ExplainLoss) {
    this.#engine = engine
    this.#explainLoss = explainLoss
  }

  async to(place: Place): Promise<ResidentConnection | undefined> {
    const key = keyOf(place)
    if (this.#without.has(key)) return undefined
    const connection = this.#connections.get(key) ?? this.#connectOnce(key, place)
    this.#connections.set(key, connection)
    return connection
  }

  async known(place: Place): Promise<ResidentConnection | undefined> {
    return this.#connections.get(keyOf(place))?.catch(() => undefined)
  }

  async #connectOnce(key: string, place: Place) {
    const forget = () => void this.#connections.delete(key)
    try {
      const connection = await this.#connect(place)
      if (!connection) this.#without.set(key, true)
      void (connection ? connection.lost.then(forget) : forget())
      return connection
    } catch (error) {
      forget()
      throw error
    }
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
