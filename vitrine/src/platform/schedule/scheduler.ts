// Decides when a call of one signing key starts: limits simultaneous calls, keeps to the quota, and is fair among the facade keys
// that wait. (Long, because it holds the calls under way, too.)
import type { QuotaWindow, ReadContext, UpstreamState } from '../port.ts'
import { Quota } from './quota.ts'
import type { Rates } from './rate-header.ts'
import { nextInQueue, type Place, tooManyWaiting, WaitQueue } from './wait-queue.ts'

export interface Turn {
  leave(isUsed: boolean): void
}

/** a turn that ends once, however often it is left */
export function turnOf(leave: Turn['leave']): Turn {
  let isOver = false
  return {
    leave(isUsed) {
      if (isOver) return
      isOver = true
      leave(isUsed)
    },
  }
}

export interface Answered {
  readonly turn: Turn
  readonly isRefusal: boolean
}

export interface Scheduler {
  /** a turn, which the caller must leave: at once if there is room and no call waits, else later; or a Problem */
  enter(context: ReadContext): Turn | Promise<Turn>
  readonly quota: {
    welcome(): void
    refused(retryAfterSec: number | undefined, begunAt: number): void
    spend(who: string | undefined, turn?: Turn): undefined | Promise<boolean>
  }
  heard(rates: Rates, begunAt: number, call?: Answered): void
  answered(durationMs: number): void
  typicalMs(): number | undefined
  hour(): QuotaWindow | undefined
  state(): Pick<UpstreamState, 'hour' | 'minute' | 'pausedSec' | 'running' | 'waiting'>
}

export interface SchedulerOptions {
  readonly most: number | (() => number)
  readonly quota?: Quota
  readonly steady: () => number
  readonly shed: () => void
}

const leastToKeep = 3
/** how long a second facade key counts as present; and how fast an answer proves that calls of a key do not hang */
const [companyMs, promptMs] = [600_000, 1_000]

/** the calls under way of one facade key */
interface OwnCalls {
  readonly who: string
  count: number
  promptAt: number
}

class Running {
  readonly #most: () => number
  readonly #quota: Quota
  readonly #steady: () => number
  /** an array, since there are few, and a Map leaves old tables to the slow garbage collector */
  readonly #owns: OwnCalls[] = []
  count = 0
  #patient = 0
  #lastWho = ''
  #mixedAt = Number.NEGATIVE_INFINITY

  constructor(most: () => number, quota: Quota, steady: () => number) {
    this.#most = most
    this.#quota = quota
    this.#steady = steady
  }

  expect(who: string) {
    if (this.#lastWho !== '' && who !== this.#lastWho) this.#mixedAt = this.#steady()
    this.#lastWho = who
  }

  hasRoom(): boolean {
    return this.count < (this.#quota.isCareful() ? 1 : this.#most())
  }

  hasRoomFor(isPatient: boolean): boolean {
    return !isPatient || this.#patient < Math.max(1, this.#most() - 1)
  }

  /** With several facade keys, the last free turn is not for a key all of whose calls may hang. */
  isKeptFrom(who: string): boolean {
    const most = this.#most()
    if (this.count !== most - 1 || most < leastToKeep || this.#steady() - this.#mixedAt >= companyMs) return false
    const own = this.#ownOf(who)
    return own !== undefined && this.#steady() - own.promptAt > promptMs
  }

  join(place: Place) {
    place.begunAt = this.#steady()
    this.count++
    if (place.patient) this.#patient++
    const own = this.#ownOf(place.who)
    if (own) own.count++
    else this.#owns.push({ who: place.who, count: 1, promptAt: Number.NEGATIVE_INFINITY })
  }

  leave({ who, patient, begunAt = 0 }: Place) {
    this.count--
    if (patient) this.#patient--
    const own = this.#ownOf(who)
    if (!own) return
    own.count--
    const now = this.#steady()
    if (now - begunAt <= promptMs) own.promptAt = now
    if (own.count === 0) this.#owns.splice(this.#owns.indexOf(own), 1)
  }

  #ownOf(who: string): OwnCalls | undefined {
    for (const own of this.#owns) if (own.who === who) return own
    return undefined
  }
}

/** the weight of the latest call in the average: low if it took longer, since our own process may have paused */
const weightOf = (ms: number, typicalMs: number): number => (ms > typicalMs ? 0.05 : 0.3)

export class LocalScheduler implements Scheduler {
  readonly quota: Quota
  readonly #most: () => number
  readonly #steady: () => number
  readonly #queue: WaitQueue
  readonly #running: Running
  #typicalMs: number | undefined
  #timer: NodeJS.Timeout | undefined

  constructor({ most, steady, shed, quota = new Quota(steady) }: SchedulerOptions) {
    this.#most = typeof most === 'number' ? () => most : most
    this.#steady = steady
    this.#queue = new WaitQueue(shed)
    this.#running = new Running(this.#most, quota, steady)
    this.quota = quota
  }

  /** `isAgain`: it had a turn before, and goes first among the calls of its facade key */
  enter(context: ReadContext, isAgain = false): Turn | Promise<Turn> {
    const { who, patient, trial } = context
    // the operator's trial is not delayed and takes no facade key's share
    if (trial) return this.#turnAt(this.#begin({ who, patient }, undefined), undefined)
    this.quota.expect(who)
    this.#running.expect(who)
    if (!isAgain) this.#requireTime(context)
    if (this.#isFree(context)) return this.#turnAt(this.#begin({ who, patient }, who), who)
    const waiting = this.#queue.wait(context, () => this.pump(), isAgain)
    return waiting.then((place) => this.#turnAt(place, place.who))
  }

  pump() {
    clearTimeout(this.#timer)
    const [queue, running] = [this.#queue, this.#running]
    while (queue.waiting > 0 && running.hasRoom()) {
      const found = nextInQueue({
        queue,
        quota: this.quota,
        running,
        steady: this.#steady,
        typicalMs: this.#neededMs(),
      })
      if (typeof found === 'number') {
        if (Number.isFinite(found)) this.#timer = setTimeout(() => this.pump(), found).unref()
        return
      }
      const [waiter, place] = found
      this.#begin(place, place.who)
      waiter.admit(place)
    }
  }

  heard(rates: Rates, begunAt: number) {
    this.quota.heard(rates, { running: Math.max(0, this.#running.count - 1), begunAt })
  }

  answered(ms: number) {
    const typicalMs = this.#typicalMs ?? ms
    this.#typicalMs = typicalMs + weightOf(ms, typicalMs) * (ms - typicalMs)
  }

  typicalMs(): number | undefined {
    return this.#typicalMs
  }

  hour(): QuotaWindow | undefined {
    return this.quota.hour()
  }

  state(): ReturnType<Scheduler['state']> {
    return { ...this.quota.state(), running: this.#running.count, waiting: this.#queue.waiting }
  }

  #neededMs(): number {
    return this.#running.count > 0 ? (this.#typicalMs ?? 0) : 0
  }

  #begin(place: Place, payer: string | undefined): Place {
    this.#running.join(place)
    this.quota.spend(payer)
    this.#queue.putLast(place.who)
    return place
  }

  #turnAt(place: Place, payer: string | undefined): Turn {
    return turnOf((isUsed) => {
      this.#running.leave(place)
      if (!isUsed) this.quota.takeBack(payer)
      this.pump()
    })
  }

  #isFree({ who, patient, endsAt, signal }: ReadContext): boolean {
    const running = this.#running
    if (this.#queue.waiting > 0 || signal.aborted || !running.hasRoom() || !running.hasRoomFor(patient)) return false
    if (running.isKeptFrom(who)) return false
    const leftMs = endsAt - this.#steady()
    return leftMs > 0 && leftMs >= this.#neededMs() && this.quota.waitMs(who, patient) === 0
  }

  /** Rejects early if no queue that this request may join can reach it before its deadline. */
  #requireTime(context: ReadContext) {
    const [queue, most, typicalMs] = [this.#queue, this.#most(), this.#typicalMs]
    if (typicalMs === undefined || this.#running.count < most) return
    let ahead = queue.aheadOf(context.who)
    context.onJoin?.(({ who }) => (ahead = Math.min(ahead, queue.aheadOf(who))))
    const waitMs = (ahead * typicalMs) / most
    if (waitMs + typicalMs > context.endsAt - this.#steady()) throw tooManyWaiting(waitMs)
  }
}
