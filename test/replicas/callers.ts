// Governors of one platform key, as replicas have them, and callers who take turns at them over a model of the platform.
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '../../src/observe.ts'
import type { Governor } from '../../src/platform/governor.ts'
import { createSharedGovernor, partOf } from '../../src/platform/shared-governor.ts'
import { Problem } from '../../src/problem.ts'
import { createLedgers } from '../../src/replicas/ledger.ts'
import { openRedis } from '../../src/replicas/redis.ts'
import type { RollingPlatform } from '../ground/rolling-platform.ts'
import { errand } from '../platform/errands.ts'

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
  readonly governor: Governor
  readonly events: readonly Event[]
}

/** makes replicas of one installation; without an address of Redis, those that have none */
export function createReplicas(t: TestContext, options: ReplicasOptions) {
  const { replicas, most = 6, holdMs = 1_000, installation = randomBytes(6).toString('hex') } = options
  return async (url: string | undefined): Promise<Replica> => {
    const events: Event[] = []
    const observe = (event: Event) => void events.push(event)
    const redis = url === undefined ? undefined : await openRedis({ url, installation, steady, observe })
    t.after(() => redis?.close())
    const mostInFlight = () => replicas() * partOf(most, replicas())
    const ledger = redis && createLedgers({ redis, holdMs, mostInFlight })('issuer key')
    return { events, governor: createSharedGovernor({ most, replicas, steady, shed: () => {}, ledger }) }
  }
}

export interface Calling {
  readonly platform: RollingPlatform
  readonly who?: string
  /** the longest that a call takes to arrive, and its answer to come back */
  readonly delayMs?: number
  readonly patienceMs?: number
  /** the chance that nobody is there any more, before the call or after it */
  readonly dies?: number
  /** the chance that no answer is waited for */
  readonly leaves?: number
}

/** one call: `made`, or the code of a refusal, or `dead` */
export async function call(governors: readonly Governor[], calling: Calling): Promise<string> {
  const { platform, who = 'key', delayMs = 10, patienceMs = 400, dies = 0, leaves = 0 } = calling
  const end = new AbortController()
  const deadline = setTimeout(() => end.abort(new DOMException('deadline', 'TimeoutError')), patienceMs)
  try {
    const governor = pick(governors)
    const turn = await governor.enter(errand({ who, endsAt: steady() + patienceMs, signal: end.signal }))
    const begunAt = steady()
    if (Math.random() < dies) return 'dead'
    await within(delayMs)
    const { rates, isRefusal } = platform.arrive()
    if (Math.random() < dies) return 'dead'
    if (Math.random() >= leaves) {
      await within(delayMs)
      governor.heard(rates, begunAt, { turn, isRefusal })
      if (isRefusal) governor.quota.refused(undefined, begunAt)
      else governor.quota.welcome()
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
  choose: () => Governor | undefined,
  endsAt: number,
  calling: Calling,
): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {}
  while (steady() < endsAt) {
    const governor = choose()
    if (!governor) break
    const outcome = await call([governor], calling)
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
