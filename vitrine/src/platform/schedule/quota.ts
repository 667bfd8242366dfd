// The quota of a signing key: how many calls are left, and which facade keys may use them now. Equal shares keep one facade key
// from using up what the others count on. (Long, because shares and quota are decided together.)
import { LRUCache } from 'lru-cache'
import type { QuotaWindow, UpstreamState } from '../port.ts'
import { LocalWindow, type ModelWindow, type Occasion, RollingCount } from './quota-window.ts'
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

export type FairShare = Pick<LocalShare, keyof LocalShare>

export class LocalShare {
  readonly #steady: () => number
  readonly #elsewhere: () => typeof nowhere
  readonly #uses = new LRUCache<string, Use>({ maxSize: mostKeys, sizeCalculation: () => 1 })
  #last: Shares | undefined

  constructor(steady: () => number, elsewhere = () => nowhere) {
    this.#steady = steady
    this.#elsewhere = elsewhere
  }

  spend(who: string) {
    const now = this.#steady()
    this.#use(who, now).calls.add(now)
  }

  takeBack(who: string) {
    this.#uses.get(who)?.calls.takeBack()
  }

  used(who: string): number {
    return this.#uses.get(who)?.calls.total() ?? 0
  }

  expect(who: string) {
    const now = this.#steady()
    if (this.#last && !this.#last.active.has(who)) this.#join(this.#last, who, now)
    this.#use(who, now)
  }

  /** false without computing shares: it has used less than any share could be */
  mayBeOver(who: string, limit: number): boolean {
    if (!this.#uses.has(who)) this.expect(who)
    return this.#ownOf(who) >= limit / Math.max(2, this.#uses.size + this.#elsewhere().size)
  }

  of(who: string, limit: number) {
    if (!this.#uses.has(who)) this.expect(who)
    let last = this.#last
    if (!last || last.limit !== limit || this.#steady() - last.at > sharesMs) this.#last = last = this.#compute(limit)
    const { active, unused } = last
    return { own: this.#ownOf(who), active: Math.max(1, active.size), kept: unused - (active.get(who) ?? 0) }
  }

  waitMs(who: string): number | undefined {
    return this.#uses.get(who)?.calls.nextExpiryMs()
  }

  #use(who: string, now: number): Use {
    let use = this.#uses.get(who)
    if (!use) {
      use = { calls: new RollingCount(hourMs, 60, this.#steady), lastAt: 0 }
      this.#uses.set(who, use)
    }
    use.lastAt = now
    return use
  }

  #ownOf(who: string): number {
    return this.used(who) + (this.#elsewhere().get(who)?.calls ?? 0)
  }

  #compute(limit: number): Shares {
    const now = this.#steady()
    const isActive = ({ lastAt }: UseElsewhere | Use): boolean => lastAt > now - activeMs
    const names = [...this.#uses, ...this.#elsewhere()].filter(([, one]) => isActive(one)).map(([name]) => name)
    const different = new Set(names)
    const share = limit / Math.max(1, different.size)
    const active = new Map([...different].map((name) => [name, Math.max(0, share - this.#ownOf(name))]))
    return { at: now, limit, active, unused: [...active.values()].reduce((sum, one) => sum + one, 0) }
  }

  /** a new key makes all shares smaller; computing them for many keys takes 180 us */
  #join({ at, limit, active }: Shares, who: string, now: number) {
    if (active.size < manyKeys || now - at > manyKeysMs) this.#last = undefined
    else active.set(who, limit / (active.size + 1))
  }
}

/** this part of the hour is kept for first answers to facade keys that have not used up their share */
const reserve = 0.1
/** the pause after a 429 without Retry-After: doubled each time, up to the last */
const [shortestPauseMs, longestPauseMs] = [1_000, 60_000]

class Pauses {
  readonly #steady: () => number
  #begunAt = Number.NEGATIVE_INFINITY
  #until = 0
  #strikes = 0
  isCareful = false

  constructor(steady: () => number) {
    this.#steady = steady
  }

  waitMs(now = this.#steady()): number {
    return Math.max(0, this.#until - now)
  }

  welcome() {
    this.#strikes = 0
    this.isCareful = false
  }

  refused(retryAfterSec: number | undefined, callBegunAt: number) {
    this.isCareful = true
    // calls that began before the first 429 say nothing new
    const isNew = callBegunAt >= this.#begunAt
    const guessMs = isNew ? Math.min(longestPauseMs, shortestPauseMs * 2 ** this.#strikes) : 0
    this.#until = Math.max(
      this.#until,
      this.#steady() + (retryAfterSec === undefined ? guessMs : retryAfterSec * 1_000),
    )
    if (!isNew) return
    this.#strikes = Math.min(this.#strikes + 1, 10)
    this.#begunAt = this.#steady()
  }
}

export interface Windows {
  readonly hour: ModelWindow
  readonly minute: ModelWindow
}

const windowsOf = (steady: () => number): Windows => ({
  hour: new LocalWindow(hourMs, steady),
  minute: new LocalWindow(60_000, steady),
})

export class Quota {
  readonly #hour: ModelWindow
  readonly #minute: ModelWindow
  readonly #shares: FairShare
  readonly #pauses: Pauses
  readonly #steady: () => number

  constructor(steady: () => number, windows: Windows = windowsOf(steady), shares: FairShare = new LocalShare(steady)) {
    this.#steady = steady
    this.#hour = windows.hour
    this.#minute = windows.minute
    this.#shares = shares
    this.#pauses = new Pauses(steady)
  }

  waitMs(who: string, patient: boolean): number {
    const now = this.#steady()
    const waitMs = Math.max(this.#pauses.waitMs(now), this.#minute.waitMs(now), this.#hour.waitMs(now))
    return waitMs || this.#fairWaitMs(who, patient, now)
  }

  /** while calls are left: how long they are kept for others, or until the latest report should be tried */
  #fairWaitMs(who: string, patient: boolean, now: number): number {
    const limit = this.#hour.limit()
    if (limit === undefined) return 0
    const left = this.#hour.remaining(now)
    const isLow = left <= Math.floor(limit * reserve)
    const isOver = this.#shares.mayBeOver(who, limit) && this.#isOver(who, limit, left, isLow)
    if (!isOver && !(isLow && patient)) return 0
    return Math.min(this.#shares.waitMs(who) ?? Number.POSITIVE_INFINITY, this.#hour.untilProbeMs(now))
  }

  /** over its share, while what is left is the reserve or kept for others */
  #isOver(who: string, limit: number, left: number, isLow: boolean): boolean {
    const { own, active, kept } = this.#shares.of(who, limit)
    return own >= limit / Math.max(2, active) && (isLow || (active > 1 && left <= kept))
  }

  expect(who: string) {
    this.#shares.expect(who)
  }

  spend(who: string | undefined): undefined {
    this.#hour.spend()
    this.#minute.spend()
    if (who !== undefined) this.#shares.spend(who)
  }

  takeBack(who: string | undefined) {
    this.#hour.takeBack()
    this.#minute.takeBack()
    if (who !== undefined) this.#shares.takeBack(who)
  }

  heard(rates: Rates, occasion: Occasion) {
    if (rates.hour) this.#hour.tell(rates.hour, occasion)
    if (rates.minute) this.#minute.tell(rates.minute, occasion)
  }

  welcome() {
    this.#pauses.welcome()
  }

  refused(retryAfterSec: number | undefined, begunAt: number) {
    this.#pauses.refused(retryAfterSec, begunAt)
  }

  /** after a 429, one call at a time until one succeeds */
  isCareful(): boolean {
    return this.#pauses.isCareful
  }

  hour(): QuotaWindow | undefined {
    return this.#hour.shown()
  }

  state(): Pick<UpstreamState, 'hour' | 'minute' | 'pausedSec'> {
    const [inHour, inMinute] = [this.#hour.shown(), this.#minute.shown()]
    return {
      ...(inHour && { hour: inHour }),
      ...(inMinute && { minute: inMinute }),
      pausedSec: Math.ceil(this.#pauses.waitMs() / 1_000),
    }
  }
}
