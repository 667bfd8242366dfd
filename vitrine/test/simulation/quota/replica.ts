// One replica of the simulation: the product's own Redis client, shared quota, scheduler and leases, and callers that make calls
// of the platform through them.
import { LightAbort } from '../../../../base/core/abort.ts'
import { openRedis, type Redis } from '../../../../base/redis/redis.ts'
import type { Network } from '../../../../base/test/simulator/network.ts'
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import type { ReadContext } from '../../../src/platform/port.ts'
import type { Scheduler } from '../../../src/platform/schedule/scheduler.ts'
import { Problem } from '../../../src/problems.ts'
import { Holder } from '../../../../base/core/holder.ts'
import { createLeases, type Leases } from '../../../src/replicas/leases.ts'
import { createSharedQuotas, type SharedQuota } from '../../../src/replicas/shared-quota.ts'
import { concurrencyPerReplica, createSharedScheduler } from '../../../src/replicas/shared-scheduler.ts'
import { noCost } from '../../platform/read-context.ts'
import { holdMs, type Plan, totalMs } from './plan.ts'
import type { Ended } from './oracles.ts'
import type { createSimulatedPlatform, PlatformAnswer } from './platform.ts'

const steady = () => performance.now()
const secret = Buffer.alloc(32, 7)
const identity = 'issuer key'

export interface ReplicaParts {
  readonly network: Network
  readonly node: SimulatedNode
  readonly plan: Plan
  readonly platform: ReturnType<typeof createSimulatedPlatform>
  readonly linkChanged: (isUp: boolean) => void
  /** the platform told how much is left */
  readonly reported: (begunAt: number, at: number) => void
  /** a call of the platform begins; what is returned ends it */
  readonly begins: (who: string) => Ended
}

/** `made` with what the platform answered, or the code of a refusal */
export interface Outcome {
  readonly code: string
  readonly answer?: PlatformAnswer
}

export interface Asked {
  readonly who: string
  readonly patienceMs: number
  /** leaves so long after the start */
  readonly leavesAfterMs?: number | undefined
}

/** too many callers for the time that they have, though calls are left */
const codeOf = ({ code, extras }: Problem): string => (extras.message === undefined ? code : `${code} (crowded)`)

export class Replica {
  readonly #parts: ReplicaParts
  redis: Redis | undefined
  scheduler: Scheduler | undefined
  sharedQuota: SharedQuota | undefined
  leases: Leases | undefined

  constructor(parts: ReplicaParts) {
    this.#parts = parts
  }

  get node(): SimulatedNode {
    return this.#parts.node
  }

  async start() {
    const { plan, linkChanged, node } = this.#parts
    const { life } = node
    const observe = ({ kind }: { readonly kind: string }) => {
      if (life !== node.life) return
      if (kind === 'redis_away') linkChanged(false)
      if (kind === 'redis_back') linkChanged(true)
    }
    const prefix = ['vitrine', 'simulation']
    const redis = plan.hasRedis ? await openRedis({ url: 'redis://redis', prefix, observe, steady }) : undefined
    const replicas = () => plan.replicas
    const most = plan.concurrency
    const mostInFlight = () => plan.replicas * concurrencyPerReplica(most, plan.replicas)
    this.redis = redis
    this.sharedQuota = redis && createSharedQuotas({ redis, holdMs, mostInFlight })(identity)
    this.leases = redis && createLeases({ redis, secret, steady })
    this.scheduler = createSharedScheduler({ most, replicas, steady, shed: () => {}, sharedQuota: this.sharedQuota })
    linkChanged(redis?.isUp() ?? false)
  }

  /** the process is gone */
  end() {
    this.redis = this.scheduler = this.sharedQuota = this.leases = undefined
  }

  /** a call with a deadline, by a caller that may leave */
  call(asked: Asked): Promise<Outcome> {
    return this.#ask(asked, (context) => this.#make(context))
  }

  /** a read that replicas share; the platform's answer comes through the leader where there is one */
  read(name: string, asked: Asked, called: () => void): Promise<Outcome> {
    const make = async (context: ReadContext) => new Holder<unknown>(await this.#make(context, called))
    const join = this.leases?.of(identity, () => {})
    return this.#ask(asked, async (context) => (await (join ? join(name, context, make) : make(context))).take())
  }

  async #ask({ who, patienceMs, leavesAfterMs }: Asked, act: (context: ReadContext) => Promise<unknown>) {
    const signal = new LightAbort()
    const late = setTimeout(() => signal.abort(new DOMException('deadline', 'TimeoutError')), patienceMs)
    const leave = () => signal.abort(new DOMException('left', 'AbortError'))
    const left = leavesAfterMs === undefined ? undefined : setTimeout(leave, leavesAfterMs)
    const endsAt = steady() + patienceMs
    try {
      const context = { signal, endsAt, who, patient: false, fresh: false, cost: noCost() }
      return { code: 'made', answer: (await act(context)) as PlatformAnswer }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return { code: codeOf(error) }
    } finally {
      clearTimeout(late)
      clearTimeout(left)
    }
  }

  /** as the platform client does: a turn, the call, the report of its head, the end of the turn */
  async #make(context: ReadContext, called = () => {}): Promise<PlatformAnswer> {
    const { scheduler } = this
    if (!scheduler) throw new Problem('stopping')
    const turn = await scheduler.enter(context)
    const [begunAt, trulyBegunAt] = [steady(), this.#parts.network.simulation.now]
    const ended = this.#parts.begins(context.who)
    called()
    let answer: PlatformAnswer | undefined
    try {
      answer = await this.#send(context)
      ended(answer)
      const { rates, isRefusal } = answer
      this.#parts.reported(trulyBegunAt, this.#parts.network.simulation.now)
      scheduler.heard(rates, begunAt, { turn, isRefusal })
      if (isRefusal) scheduler.quota.refused(undefined, begunAt)
      else scheduler.quota.welcome()
      scheduler.answered(steady() - begunAt)
      if (isRefusal) throw new Problem('upstream_rate_limited', {})
      await context.onArrival?.(1_000)
      return answer
    } finally {
      if (!answer) ended(undefined)
      turn.leave(true)
    }
  }

  #send({ signal, cost }: ReadContext): Promise<PlatformAnswer> {
    const { platform, node } = this.#parts
    cost.calls++
    return new Promise((ok, no) => {
      const gone = () => no(new Problem(signal.aborted ? 'upstream_timeout' : 'upstream_unavailable'))
      const late = setTimeout(gone, totalMs)
      signal.addEventListener('abort', gone)
      platform.call(node, (answer) => {
        clearTimeout(late)
        signal.removeEventListener('abort', gone)
        ok(answer)
      })
    })
  }
}
