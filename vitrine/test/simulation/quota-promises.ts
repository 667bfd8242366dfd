// The promises of docs/decisions/replica-quota.md, as sums over what happened: how many calls may be beyond the quota by now.
import { concurrencyPerReplica } from '../../src/replicas/shared-scheduler.ts'
import { holdMs, type Plan } from './quota-plan.ts'

const [minuteMs, hourMs] = [60_000, 3_600_000]

export interface QuotaBound {
  /** a replica reaches Redis from now on, or does not */
  linked(replica: string, isUp: boolean, at: number): void
  gone(replica: string, at: number): void
  /** Redis lost something, its clock was set, or others used the signing key */
  doubted(at: number): void
  /** a replica had an answer of the platform: from now on its quota is known */
  reported(): void
  /** one call beyond the quota; the bound where it is passed */
  over(at: number): string | undefined
  /** nothing was left, and something is again */
  renewed(at: number): void
  isWhole(at: number): boolean
}

/**
 * While all replicas reach Redis, no call is beyond. Once one does not, or Redis forgot: fewer than `n`, each time that all is
 * used up, and one a minute for each replica alone; for an hour after that, one a minute that tests.
 */
export function createQuotaBound({ replicas, concurrency }: Plan): QuotaBound {
  const inFlight = replicas * concurrencyPerReplica(concurrency, replicas)
  const alone = new Set<string>()
  /** begins with the first trouble, and ends an hour and a hold after the last */
  let [since, until, times, overs] = [0, Number.NEGATIVE_INFINITY, 0, 0]
  let isReported = false

  function trouble(at: number) {
    if (at > until) [since, times, overs] = [at, 1, 0]
    until = Math.max(until, at + hourMs + holdMs)
  }

  function allowed(at: number): number {
    const minutes = Math.ceil((at - since) / minuteMs) + 1
    return times * Math.max(0, inFlight - 1) + minutes * replicas
  }

  const refresh = (at: number) => {
    if (alone.size > 0) trouble(at)
  }

  return {
    linked(replica, isUp, at) {
      refresh(at)
      if (isUp) alone.delete(replica)
      else alone.add(replica)
      refresh(at)
    },
    gone(replica, at) {
      refresh(at)
      alone.delete(replica)
    },
    doubted: trouble,
    reported: () => void (isReported = true),
    renewed(at) {
      refresh(at)
      if (at <= until) times++
    },
    over(at) {
      refresh(at)
      if (!isReported) return undefined
      if (at > until) return 'while all replicas reach Redis, no call is beyond the quota'
      overs++
      const most = allowed(at)
      return overs > most ? `at most ${most} calls are beyond the quota here, and this is one more` : undefined
    },
    isWhole: (at) => alone.size === 0 && at > until,
  }
}
