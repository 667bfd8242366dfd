// One replica with the product's breakers of one connection and their news over Redis, and callers that call through them.
import { openRedis, type Redis } from '../../../../base/redis/redis.ts'
import type { Network } from '../../../../base/test/simulator/network.ts'
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import { Holder } from '../../../../base/core/holder.ts'
import { createNeutral } from '../../../src/platform/auth/key-refusals.ts'
import { Breakers } from '../../../src/platform/retry/breaker.ts'
import { Problem } from '../../../src/problems.ts'
import { createBreakerNews } from '../../../src/replicas/breaker-news.ts'
import { ConnectionPromises, LanePromises, type OtherReplicas } from './promises.ts'

const steady = () => performance.now()
const prefix = ['vitrine', 'simulation']
const neutral = ''

export type Outcome = 'alive' | 'down'

export interface ReplicaParts {
  readonly network: Network
  readonly node: SimulatedNode
  /** one call of the platform */
  readonly send: () => Promise<Outcome>
  readonly others: OtherReplicas
  /** it tells the other replicas */
  readonly told: (outcome: Outcome) => void
  readonly broke: (promise: string) => void
}

export class Replica {
  readonly #parts: ReplicaParts
  readonly #lanes = new Map<string, LanePromises>()
  redis: Redis | undefined
  breakers: Breakers | undefined
  /** calls of the platform */
  underWay = 0
  #connection = new ConnectionPromises()
  /** when a call of any lane had its answer */
  readonly answers: number[] = []

  constructor(parts: ReplicaParts) {
    this.#parts = parts
  }

  async start() {
    this.redis = await openRedis({ url: 'redis://redis', prefix, observe: () => {}, steady })
    const others = createBreakerNews(this.#watched(this.redis), steady).of('connection')
    const make = async () => new Holder<unknown>(await this.#attempt(neutral))
    const doubt = createNeutral({ make, steady, isPaused: () => false })
    this.breakers = new Breakers({ steady, changed: () => {}, others, doubt })
  }

  /** what it publishes are news */
  #watched(redis: Redis): Pick<Redis, 'ask' | 'name' | 'listen'> {
    const ask: Redis['ask'] = (command, ...values) => {
      if (command === 'PUBLISH') this.#parts.told(String(values[1]).includes(' alive ') ? 'alive' : 'down')
      return redis.ask(command, ...values)
    }
    return { ask, name: redis.name, listen: redis.listen }
  }

  end() {
    this.redis = this.breakers = undefined
    this.#lanes.clear()
    this.#connection = new ConnectionPromises()
    this.underWay = 0
  }

  async call(lane: string): Promise<Outcome | 'refused'> {
    const { network, broke } = this.#parts
    try {
      return await this.#attempt(lane)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const { retryAfterSec = 0 } = error.extras
      if (retryAfterSec < 1 || retryAfterSec > 5)
        broke(`a refused caller may come back in 1 to 5 s, not ${retryAfterSec}`)
      const { now } = network.simulation
      const promise = this.#connection.mayRefuse(now) ? undefined : this.#promisesOf(lane).refused(now)
      if (promise !== undefined) broke(promise)
      return 'refused'
    }
  }

  #promisesOf(lane: string): LanePromises {
    const known = this.#lanes.get(lane) ?? new LanePromises(this.#parts.others)
    this.#lanes.set(lane, known)
    return known
  }

  /** as the platform client does: the breakers are asked, and told of what came */
  async #attempt(lane: string): Promise<Outcome> {
    const { network, send, broke } = this.#parts
    const { simulation } = network
    if (lane !== neutral) {
      this.breakers?.admit(lane)
      const broken = this.#connection.begins(simulation.now) ?? this.#promisesOf(lane).begins(simulation.now)
      if (broken !== undefined) broke(broken)
    }
    this.underWay++
    const outcome = await send()
    this.underWay--
    if (outcome === 'alive') this.#answered(lane)
    else this.#failed(lane)
    this.breakers?.tell(lane, outcome)
    return outcome
  }

  #answered(lane: string) {
    this.answers.push(this.#parts.network.simulation.now)
    this.#connection.answered()
    if (lane !== neutral) this.#promisesOf(lane).answered()
  }

  #failed(lane: string) {
    const { now } = this.#parts.network.simulation
    if (lane === neutral) return this.#connection.neutralFailed(now)
    this.#connection.failed(lane)
    return this.#promisesOf(lane).failed(now)
  }
}
