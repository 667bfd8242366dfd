// What a platform key may still ask, and who among the facade keys may ask it now.
import type { LineState, Window } from '../engine/port.ts'
import type { Rates } from './rate-header.ts'
import { createShares, type Shares } from './shares.ts'
import { createWindow, type ModelWindow, type Occasion } from './window.ts'

/** of the hour's calls, this part is for first answers to facade keys that have not used up their own share */
const reserve = 0.1
/** how long a platform key rests after a 429 that names no time: doubled each time, up to the last */
const [shortestRestMs, longestRestMs] = [1_000, 60_000]

export interface Quota {
  /** milliseconds until this facade key may ask; 0: now */
  waitMs(who: string, patient: boolean): number
  expect(who: string): void
  /** counts a call, of nobody's share where it is the operator's */
  spend(who: string | undefined): void
  takeBack(who: string | undefined): void
  heard(rates: Rates, occasion: Occasion): void
  /** the platform did not mind being asked */
  welcome(): void
  /** the platform answered 429 to a call that began then */
  refused(retryAfterSec: number | undefined, begunAt: number): void
  /** after a 429 one call finds out, before all go on */
  isCareful(): boolean
  /** undefined: the platform has not said */
  hour(): Window | undefined
  state(): Pick<LineState, 'hour' | 'minute' | 'pausedSec'>
}

interface Parts {
  readonly hour: ModelWindow
  readonly shares: Shares
}

/** the platform would answer: how long until this one should be the one who asks, or its word should be tried again */
function fairWaitMs({ hour, shares }: Parts, who: string, patient: boolean): number {
  const limit = hour.limit()
  if (limit === undefined) return 0
  const left = hour.remaining()
  const { own, active, kept } = shares.of(who, limit)
  const isOverShare = own >= limit / Math.max(2, active)
  const isOthers = active > 1 && isOverShare && left <= kept
  const isReserved = left <= Math.floor(limit * reserve) && (patient || isOverShare)
  return isOthers || isReserved ? Math.min(shares.waitMs(who) ?? Number.POSITIVE_INFINITY, hour.untilProbeMs()) : 0
}

function createRest(steady: () => number) {
  let begunAt = Number.NEGATIVE_INFINITY
  let until = 0
  let strikes = 0
  let isCareful = false
  return {
    waitMs: (): number => Math.max(0, until - steady()),
    isCareful: () => isCareful,
    welcome() {
      strikes = 0
      isCareful = false
    },
    refused(retryAfterSec: number | undefined, callBegunAt: number) {
      isCareful = true
      // calls that were under way when the first was refused say nothing new by being refused too
      const isNews = callBegunAt >= begunAt
      const guessMs = isNews ? Math.min(longestRestMs, shortestRestMs * 2 ** strikes) : 0
      until = Math.max(until, steady() + (retryAfterSec === undefined ? guessMs : retryAfterSec * 1_000))
      if (!isNews) return
      strikes = Math.min(strikes + 1, 10)
      begunAt = steady()
    },
  }
}

export interface Windows {
  readonly hour: ModelWindow
  readonly minute: ModelWindow
}

const windowsOf = (steady: () => number): Windows => ({
  hour: createWindow(3_600_000, steady),
  minute: createWindow(60_000, steady),
})

export function createQuota(
  steady: () => number,
  { hour, minute }: Windows = windowsOf(steady),
  shares: Shares = createShares(steady),
): Quota {
  const rest = createRest(steady)
  return {
    waitMs: (who, patient) =>
      Math.max(rest.waitMs(), minute.waitMs(), hour.waitMs()) || fairWaitMs({ hour, shares }, who, patient),
    expect: (who) => shares.expect(who),
    spend(who) {
      hour.spend()
      minute.spend()
      if (who !== undefined) shares.spend(who)
    },
    takeBack(who) {
      hour.takeBack()
      minute.takeBack()
      if (who !== undefined) shares.takeBack(who)
    },
    heard(rates, occasion) {
      if (rates.hour) hour.tell(rates.hour, occasion)
      if (rates.minute) minute.tell(rates.minute, occasion)
    },
    welcome: () => rest.welcome(),
    refused: (retryAfterSec, begunAt) => rest.refused(retryAfterSec, begunAt),
    isCareful: rest.isCareful,
    hour: () => hour.shown(),
    state() {
      const [inHour, inMinute] = [hour.shown(), minute.shown()]
      return {
        ...(inHour && { hour: inHour }),
        ...(inMinute && { minute: inMinute }),
        pausedSec: Math.ceil(rest.waitMs() / 1_000),
      }
    },
  }
}
