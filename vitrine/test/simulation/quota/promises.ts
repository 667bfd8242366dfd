// The promises of docs/decisions/replica-quota.md, as sums over what happened: how many calls may be beyond the quota by now.
import { holdMs, messageMs, mostInFlight, type Plan } from './plan.ts'

const [minuteMs, hourMs] = [60_000, 3_600_000]
/** by then a call from before the last trouble has ended, or is no longer held */
const settledMs = 2 * holdMs
/** a minute, as calls arrive late by different times */
const testEveryMs = minuteMs - 5_000

export interface QuotaBound {
  /** a replica reaches Redis from now on, or does not */
  linked(replica: string, isUp: boolean, at: number): void
  gone(replica: string, at: number): void
  /** Redis lost something, its clock was set by so much, or others used the signing key */
  doubted(at: number, setMs?: number): void
  /** a replica has an answer to a call that began then: from now on the quota is known */
  reported(begunAt: number, at: number): void
  /** one call beyond the quota; the bound where it is passed */
  over(at: number): string | undefined
  /** nothing was left, and something is again */
  renewed(at: number): void
  /** all replicas reach Redis, and there was no trouble for so long */
  isSettled(at: number, forMs?: number): boolean
  /** the same for the whole hour that counts, or a call from after all trouble told how much is left, so long ago */
  isWhole(at: number, afterMs?: number): boolean
}

/**
 * While all replicas reach Redis, no call is beyond. Once one does not, or Redis forgot: fewer than `n`, each time that all is
 * used up, and one a minute that tests for each replica alone. For an hour after that, one a minute over all of them.
 */
export function createQuotaBound(plan: Plan): QuotaBound {
  const [{ replicas }, inFlight] = [plan, mostInFlight(plan)]
  const alone = new Set<string>()
  /** ends an hour and a hold after the last trouble */
  let until = Number.NEGATIVE_INFINITY
  let lastAt = Number.NEGATIVE_INFINITY
  /** calls that may be beyond, and those that were: since the first trouble, and since all is settled */
  let [allowed, overs, settledOvers, refreshedAt] = [0, 0, 0, 0]
  let [isReported, isTaught] = [false, false]
  /** when a replica had the answer to a call from after all trouble */
  let toldAt = Number.POSITIVE_INFINITY
  let testedAt = Number.NEGATIVE_INFINITY
  /** until then calls leave the hour at wrong times */
  let setUntil = Number.NEGATIVE_INFINITY
  /** fewer than `n` were allowed since nothing is left */
  let isAllowed = false

  /** one a minute for each replica alone, and one for those that reach Redis together */
  function refresh(at: number) {
    allowed += ((at - refreshedAt) / minuteMs) * (alone.size + 1)
    refreshedAt = at
    if (alone.size > 0) extend(at)
    else if (at > until) [allowed, overs, isAllowed] = [0, 0, false]
  }

  function extend(at: number) {
    lastAt = at
    settledOvers = 0
    until = Math.max(until, at + hourMs + holdMs)
  }

  /** those under way, once each time that all is used up; and calls that test */
  function trouble(at: number, tests: number) {
    allowed += tests + (isAllowed ? 0 : inFlight)
    isAllowed = true
    isTaught = false
    toldAt = Number.POSITIVE_INFINITY
    extend(at)
  }

  const isSettled = (at: number, forMs = settledMs): boolean => alone.size === 0 && at > lastAt + forMs

  return {
    linked(replica, isUp, at) {
      refresh(at)
      if (alone.has(replica) !== isUp) return
      if (isUp) alone.delete(replica)
      else alone.add(replica)
      // a first test of its own
      trouble(at, 1)
    },
    gone(replica, at) {
      refresh(at)
      alone.delete(replica)
      // the answer may have been its own, and not yet in Redis
      if (at <= toldAt + messageMs) toldAt = Number.POSITIVE_INFINITY
    },
    doubted(at, setMs = 0) {
      refresh(at)
      trouble(at, replicas)
      // what a report knew of is given back again, until a new answer says otherwise
      until = setMs < 0 ? Number.POSITIVE_INFINITY : until + setMs
      if (setMs !== 0) setUntil = until
    },
    reported(begunAt, at) {
      isReported = true
      // an answer to a call from before says nothing of the last trouble
      isTaught ||= begunAt > lastAt
      if (isSettled(begunAt)) toldAt = Math.min(toldAt, at)
    },
    renewed(at) {
      refresh(at)
      isAllowed = false
      if (at > until) return
      allowed += isSettled(at) ? 1 : inFlight
      isAllowed = !isSettled(at)
    },
    over(at) {
      refresh(at)
      if (!isReported) return undefined
      if (at > until) return 'while all replicas reach Redis, no call is beyond the quota'
      overs++
      // callers that leave before the answer learn nothing
      if (isSettled(at) && isTaught) {
        settledOvers++
        if (at - testedAt < testEveryMs && at > setUntil)
          return 'nothing is left: one call tests over all replicas, and the next not before a minute'
        testedAt = at
      }
      const tests = Math.ceil((at - lastAt) / minuteMs) + 1
      if (settledOvers > tests) return 'while all replicas reach Redis again, one call a minute tests'
      const most = Math.floor(allowed) + 1
      return overs > most ? `at most ${most} calls are beyond the quota here, and this is one more` : undefined
    },
    isSettled,
    isWhole: (at, afterMs = 0) => alone.size === 0 && (at > until || (at > toldAt + afterMs && at > setUntil)),
  }
}
