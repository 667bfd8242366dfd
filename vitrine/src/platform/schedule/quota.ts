// The quota of a signing key: how many calls are left, and which facade keys may use them now. Equal shares keep one facade key
// from using up what the others count on. (Long, because shares and quota are decided together.)
import { LRUCache } from 'lru-cache'
import type { UpstreamState } from '../port.ts'
import { createWindow, type Occasion, RollingCount } from './quota-window.ts'
import type { Rates } from './rate-header.ts'

const hourMs = 3_600_000
const activeMs = 600_000
const mostKeys = 1_000
const sharesMs = 100
/** with so many active keys, one more changes the shares little: they are computed at most every 25 ms */
const [manyKeys, manyKeysMs] = [100, 25]

interface Use {
  readonly calls: RollingCount
  lastAt: number
}

export type FairShare = ReturnType<typeof createFairShare>

export interface UseElsewhere {
  readonly calls: number
  readonly lastAt: number
}

interface Shares {
  readonly at: number
  readonly limit: number
  readonly active: Map<string, number>
  readonly unused: number
}

const nowhere: ReadonlyMap<string, UseElsewhere> = new Map()

export function createFairShare(steady: () => number, elsewhere = (): typeof nowhere => nowhere) {
  const uses = new LRUCache<string, Use>({ maxSize: mostKeys, sizeCalculation: () => 1 })
  let last: Shares | undefined

  function use(who: string): Use {
    const found = uses.get(who) ?? { calls: new RollingCount(hourMs, 60, steady), lastAt: 0 }
    found.lastAt = steady()
    uses.set(who, found)
    return found
  }

  const used = (who: string): number => uses.get(who)?.calls.total() ?? 0
  const ownOf = (who: string): number => used(who) + (elsewhere().get(who)?.calls ?? 0)

  function compute(limit: number): Shares {
    const now = steady()
    const isActive = ({ lastAt }: UseElsewhere | Use): boolean => lastAt > now - activeMs
    const names = [...uses, ...elsewhere()].filter(([, one]) => isActive(one)).map(([name]) => name)
    const different = new Set(names)
    const share = limit / Math.max(1, different.size)
    const active = new Map([...different].map((name) => [name, Math.max(0, share - ownOf(name))]))
    return { at: now, limit, active, unused: [...active.values()].reduce((sum, one) => sum + one, 0) }
  }

  /** a new key makes all shares smaller; computing them for many keys takes 180 us */
  function join({ at, limit, active }: Shares, who: string) {
    if (active.size < manyKeys || steady() - at > manyKeysMs) last = undefined
    else active.set(who, limit / (active.size + 1))
  }

  function expect(who: string) {
    if (last && !last.active.has(who)) join(last, who)
    use(who)
  }

  return {
    spend: (who: string) => use(who).calls.add(),
    takeBack(who: string) {
      uses.get(who)?.calls.takeBack()
    },
    used,
    expect,
    of(who: string, limit: number) {
      if (!uses.has(who)) expect(who)
      if (!last || last.limit !== limit || steady() - last.at > sharesMs) last = compute(limit)
      const { active, unused } = last
      return { own: ownOf(who), active: Math.max(1, active.size), kept: unused - (active.get(who) ?? 0) }
    },
    waitMs: (who: string) => uses.get(who)?.calls.nextExpiryMs(),
  }
}

/** this part of the hour is kept for first answers to facade keys that have not used up their share */
const reserve = 0.1
/** the pause after a 429 without Retry-After: doubled each time, up to the last */
const [shortestPauseMs, longestPauseMs] = [1_000, 60_000]

export type Quota = ReturnType<typeof createQuota>

function createPauses(steady: () => number) {
  let begunAt = Number.NEGATIVE_INFINITY
  let until = 0
  let strikes = 0
  let isCareful = false
  return {
    waitMs: (): number => Math.max(0, until - steady()),
    isCareful: () => isCareful,
    welcome: () => {
      strikes = 0
      isCareful = false
    },
    refused: (retryAfterSec: number | undefined, callBegunAt: number) => {
      isCareful = true
      // calls that began before the first 429 say nothing new
      const isNew = callBegunAt >= begunAt
      const guessMs = isNew ? Math.min(longestPauseMs, shortestPauseMs * 2 ** strikes) : 0
      until = Math.max(until, steady() + (retryAfterSec === undefined ? guessMs : retryAfterSec * 1_000))
      if (!isNew) return
      strikes = Math.min(strikes + 1, 10)
      begunAt = steady()
    },
  }
}

export type Windows = ReturnType<typeof windowsOf>

const windowsOf = (steady: () => number) => ({
  hour: createWindow(hourMs, steady),
  minute: createWindow(60_000, steady),
})

export function createQuota(
  steady: () => number,
  { hour, minute }: Windows = windowsOf(steady),
  shares: FairShare = createFairShare(steady),
) {
  const pauses = createPauses(steady)

  /** while calls are left: how long they are kept for others, or until the latest report should be tried */
  function fairWaitMs(who: string, patient: boolean): number {
    const limit = hour.limit()
    if (limit === undefined) return 0
    const left = hour.remaining()
    const { own, active, kept } = shares.of(who, limit)
    const isOverShare = own >= limit / Math.max(2, active)
    const isKept = active > 1 && isOverShare && left <= kept
    const isReserved = left <= Math.floor(limit * reserve) && (patient || isOverShare)
    return isKept || isReserved ? Math.min(shares.waitMs(who) ?? Number.POSITIVE_INFINITY, hour.untilProbeMs()) : 0
  }

  return {
    waitMs: (who: string, patient: boolean) =>
      Math.max(pauses.waitMs(), minute.waitMs(), hour.waitMs()) || fairWaitMs(who, patient),
    expect: (who: string) => shares.expect(who),
    spend(who: string | undefined) {
      hour.spend()
      minute.spend()
      if (who !== undefined) shares.spend(who)
    },
    takeBack(who: string | undefined) {
      hour.takeBack()
      minute.takeBack()
      if (who !== undefined) shares.takeBack(who)
    },
    heard(rates: Rates, occasion: Occasion) {
      if (rates.hour) hour.tell(rates.hour, occasion)
      if (rates.minute) minute.tell(rates.minute, occasion)
    },
    welcome: pauses.welcome,
    refused: pauses.refused,
    /** after a 429, one call at a time until one succeeds */
    isCareful: pauses.isCareful,
    hour: () => hour.shown(),
    state(): Pick<UpstreamState, 'hour' | 'minute' | 'pausedSec'> {
      const [inHour, inMinute] = [hour.shown(), minute.shown()]
      return {
        ...(inHour && { hour: inHour }),
        ...(inMinute && { minute: inMinute }),
        pausedSec: Math.ceil(pauses.waitMs() / 1_000),
      }
    },
  }
}
