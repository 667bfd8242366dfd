// The schedulers of several replicas for one signing key, and callers that use them over a model of the platform.
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '../../src/events.ts'
import type { Scheduler } from '../../src/platform/schedule/scheduler.ts'
import { createSharedScheduler, concurrencyPerReplica } from '../../src/replicas/shared-scheduler.ts'
import { Problem } from '../../src/problems.ts'
import { createSharedQuotas } from '../../src/replicas/shared-quota.ts'
import { openRedis } from '../../../base/redis/redis.ts'
import type { RollingPlatform } from '../support/rolling-platform.ts'
import { readContext } from '../platform/read-context.ts'

export const steady = () => performance.now()
export const within = (ms: number) => sleep(Math.random() * ms)
export const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T

export interface ReplicasOptions {
  readonly replicas: () => number
  readonly most?: number
  readonly holdMs?: number
  readonly installation?: string
}

export interface Replica {
  readonly scheduler: Scheduler
  readonly events: readonly Event[]
}

/** makes replicas of one installation; without an address of Redis, those that have none */
export function createReplicas(t: TestContext, options: ReplicasOptions) {
  const { replicas, most = 6, holdMs = 1_000, installation = randomBytes(6).toString('hex') } = options
  return async (url: string | undefined): Promise<Replica> => {
    const events: Event[] = []
    const observe = (event: Event) => void events.push(event)
    const redis =
      url === undefined ? undefined : await openRedis({ url, prefix: ['vitrine', installation], steady, observe })
    t.after(() => redis?.close())
    const mostInFlight = () => replicas() * concurrencyPerReplica(most, replicas())
    const sharedQuota = redis && createSharedQuotas({ redis, holdMs, mostInFlight })('issuer key')
    return {
      events,
      scheduler: createSharedScheduler({ most, replicas, steady, shed: () => {}, sharedQuota }),
    }
  }
}

export interface Calling {
  readonly platform: RollingPlatform
  readonly who?: string
  /** the longest that a call takes to arrive, and its answer to come back */
  readonly delayMs?: number
  readonly patienceMs?: number
  /** the probability that a replica dies before or after the call */
  readonly dies?: number
  /** the probability that the caller does not wait for the answer */
  readonly leaves?: number
}

/** makes one call; returns `made`, the code of a refusal, or `dead` */
export async function call(schedulers: readonly Scheduler[], calling: Calling): Promise<string> {
  const { platform, who = 'key', delayMs = 10, patienceMs = 400, dies = 0, leaves = 0 } = calling
  const end = new AbortController()
  const deadline = setTimeout(() => end.abort(new DOMException('deadline', 'TimeoutError')), patienceMs)
  try {
    const scheduler = pick(schedulers)
    const turn = await scheduler.enter(readContext({ who, endsAt: steady() + patienceMs, signal: end.signal }))
    const begunAt = steady()
    if (Math.random() < dies) return 'dead'
    await within(delayMs)
    const { rates, isRefusal } = platform.arrive()
    if (Math.random() < dies) return 'dead'
    if (Math.random() >= leaves) {
      await within(delayMs)
      scheduler.heard(rates, begunAt, { turn, isRefusal })
      if (isRefusal) scheduler.quota.refused(undefined, begunAt)
      else scheduler.quota.welcome()
    }
    turn.leave(true)
    return isRefusal ? 'refused' : 'made'
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.code
  } finally {
    clearTimeout(deadline)
  }
}

/** asks again and again until then; answers what came of it how often */
export async function keepCalling(
  choose: () => Scheduler | undefined,
  endsAt: number,
  calling: Calling,
): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {}
  while (steady() < endsAt) {
    const scheduler = choose()
    if (!scheduler) break
    const outcome = await call([scheduler], calling)
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    if (outcome !== 'made') await within(20)
  }
  return outcomes
}

export const sumOf = (all: readonly Record<string, number>[]): Record<string, number> => {
  const sum: Record<string, number> = {}
  for (const one of all) for (const [name, count] of Object.entries(one)) sum[name] = (sum[name] ?? 0) + count
  return sum
}
