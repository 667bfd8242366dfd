// One replica with the product's breakers of one connection and their news over Redis, and callers that call through them.
import { openRedis, type Redis } from '../../../../base/redis/redis.ts'
import type { Network } from '../../../../base/test/simulator/network.ts'
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import { Holder } from '../../../../base/core/holder.ts'
import { createNeutral } from '../../../src/platform/auth/key-refusals.ts'
import { Breakers } from '../../../src/platform/retry/breaker.ts'
import { Problem } from '../../../src/problems.ts'
import { createBreakerNews } from '../../../src/replicas/breaker-news.ts'
import { LanePromises } from './promises.ts'

const steady = () => performance.now()
const prefix = ['vitrine', 'simulation']
const neutral = ''

export type Outcome = 'alive' | 'down'

export interface ReplicaParts {
  readonly network: Network
  readonly node: SimulatedNode
  /** several lanes may close the whole connection, and then their own pauses say little */
  readonly hasSeveralLanes: boolean
  /** one call of the platform */
  readonly send: () => Promise<Outcome>
  /** when another replica last had an answer */
  readonly newsAt: () => number
  readonly broke: (promise: string) => void
}

export class Replica {
  readonly #parts: ReplicaParts
  readonly #lanes = new Map<string, LanePromises>()
  redis: Redis | undefined
  breakers: Breakers | undefined
  /** calls of the platform */
  underWay = 0
  /** of any lane */
  answeredAt = Number.NEGATIVE_INFINITY

  constructor(parts: ReplicaParts) {
    this.#parts = parts
  }

  async start() {
    this.redis = await openRedis({ url: 'redis://redis', prefix, observe: () => {}, steady })
    const others = createBreakerNews(this.redis, steady).of('connection')
    const make = async () => new Holder<unknown>(await this.#attempt(neutral))
    const doubt = createNeutral({ make, steady, isPaused: () => false })
    this.breakers = new Breakers({ steady, changed: () => {}, others, doubt })
  }

  end() {
    this.redis = this.breakers = undefined
    this.#lanes.clear()
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
      const promise = this.#promisesOf(lane)?.refused(network.simulation.now)
      if (promise !== undefined) broke(promise)
      return 'refused'
    }
  }

  #promisesOf(lane: string): LanePromises | undefined {
    if (lane === neutral || this.#parts.hasSeveralLanes) return undefined
    const known = this.#lanes.get(lane) ?? new LanePromises()
    this.#lanes.set(lane, known)
    return known
  }

  /** as the platform client does: the breakers are asked, and told of what came */
  async #attempt(lane: string): Promise<Outcome> {
    const { network, send, newsAt, broke } = this.#parts
    const { simulation } = network
    if (lane !== neutral) this.breakers?.admit(lane)
    const promises = this.#promisesOf(lane)
    const broken = promises?.begins(simulation.now)
    if (broken !== undefined) broke(broken)
    this.underWay++
    const outcome = await send()
    this.underWay--
    if (outcome === 'alive') {
      this.answeredAt = simulation.now
      promises?.answered()
    } else promises?.failed(simulation.now, newsAt())
    this.breakers?.tell(lane, outcome)
    return outcome
  }
}
