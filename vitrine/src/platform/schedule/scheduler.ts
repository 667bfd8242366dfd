// Decides when a call of one signing key starts: limits simultaneous calls, keeps to the quota, and is fair among the facade keys
// that wait. (Long, because it holds the calls under way, too.)
import type { QuotaWindow, ReadContext, UpstreamState } from '../port.ts'
import { createQuota, type Quota } from './quota.ts'
import type { Rates } from './rate-header.ts'
import { createWaitQueue, nextInQueue, type Place, tooManyWaiting } from './wait-queue.ts'

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

export interface LocalScheduler extends Scheduler {
  /** `isAgain`: it had a turn before, and goes first among the calls of its facade key */
  enter(context: ReadContext, isAgain?: boolean): Turn | Promise<Turn>
  pump(): void
}

const leastToKeep = 3
/** how long a second facade key counts as present; and how fast an answer proves that calls of a key do not hang */
const [companyMs, promptMs] = [600_000, 1_000]

interface OwnCalls {
  count: number
  promptAt: number
}

function createRunning(most: () => number, quota: Quota, steady: () => number) {
  const owns = new Map<string, OwnCalls>()
  let [count, patient] = [0, 0]
  let [lastWho, mixedAt] = ['', Number.NEGATIVE_INFINITY]

  return {
    count: () => count,
    expect(who: string) {
      if (lastWho !== '' && who !== lastWho) mixedAt = steady()
      lastWho = who
    },
    hasRoom: (): boolean => count < (quota.isCareful() ? 1 : most()),
    hasRoomFor: (isPatient: boolean): boolean => !isPatient || patient < Math.max(1, most() - 1),
    /** With several facade keys, the last free turn is not for a key all of whose calls may hang. */
    isKeptFrom(who: string): boolean {
      if (count !== most() - 1 || most() < leastToKeep || steady() - mixedAt >= companyMs) return false
      const own = owns.get(who)
      return own !== undefined && steady() - own.promptAt > promptMs
    },
    join(place: Place) {
      place.begunAt = steady()
      count++
      if (place.patient) patient++
      const own = owns.get(place.who) ?? { count: 0, promptAt: Number.NEGATIVE_INFINITY }
      own.count++
      owns.set(place.who, own)
    },
    leave({ who, patient: isPatient, begunAt = 0 }: Place) {
      count--
      if (isPatient) patient--
      const own = owns.get(who)
      if (!own) return
      own.count--
      if (steady() - begunAt <= promptMs) own.promptAt = steady()
      if (own.count === 0) owns.delete(who)
    },
  }
}

/** the weight of the latest call in the average: low if it took longer, since our own process may have paused */
const weightOf = (ms: number, typicalMs: number): number => (ms > typicalMs ? 0.05 : 0.3)

export function createScheduler(options: SchedulerOptions): LocalScheduler {
  const { most: given, steady, shed, quota = createQuota(steady) } = options
  const most = typeof given === 'number' ? () => given : given
  const queue = createWaitQueue(shed)
  const running = createRunning(most, quota, steady)
  let typicalMs: number | undefined
  let timer: NodeJS.Timeout | undefined

  const neededMs = (): number => (running.count() > 0 ? (typicalMs ?? 0) : 0)

  function pump() {
    clearTimeout(timer)
    while (queue.waiting() > 0 && running.hasRoom()) {
      const found = nextInQueue({ queue, quota, running, steady, typicalMs: neededMs() })
      if (typeof found === 'number') {
        if (Number.isFinite(found)) timer = setTimeout(pump, found).unref()
        return
      }
      const [waiter, place] = found
      begin(place, place.who)
      waiter.admit(place)
    }
  }

  function begin(place: Place, payer: string | undefined): Place {
    running.join(place)
    quota.spend(payer)
    queue.putLast(place.who)
    return place
  }

  const turnAt = (place: Place, payer: string | undefined): Turn =>
    turnOf((isUsed) => {
      running.leave(place)
      if (!isUsed) quota.takeBack(payer)
      pump()
    })

  function isFree({ who, patient, endsAt, signal }: ReadContext): boolean {
    if (queue.waiting() > 0 || signal.aborted || !running.hasRoom() || !running.hasRoomFor(patient)) return false
    if (running.isKeptFrom(who)) return false
    const leftMs = endsAt - steady()
    return leftMs > 0 && leftMs >= neededMs() && quota.waitMs(who, patient) === 0
  }

  /** Rejects early if no queue that this request may join can reach it before its deadline. */
  function requireTime(context: ReadContext) {
    if (typicalMs === undefined || running.count() < most()) return
    let ahead = queue.aheadOf(context.who)
    context.onJoin?.(({ who }) => (ahead = Math.min(ahead, queue.aheadOf(who))))
    const waitMs = (ahead * typicalMs) / most()
    if (waitMs + typicalMs > context.endsAt - steady()) throw tooManyWaiting(waitMs)
  }

  return {
    quota: {
      welcome: () => quota.welcome(),
      refused: (...refusal) => quota.refused(...refusal),
      spend: (who) => (quota.spend(who), undefined),
    },
    pump,
    heard: (rates, begunAt) => quota.heard(rates, { running: Math.max(0, running.count() - 1), begunAt }),
    answered: (ms) =>
      void (typicalMs = typicalMs === undefined ? ms : typicalMs + weightOf(ms, typicalMs) * (ms - typicalMs)),
    typicalMs: () => typicalMs,
    hour: () => quota.hour(),
    state: () => ({ ...quota.state(), running: running.count(), waiting: queue.waiting() }),
    enter(context, isAgain = false) {
      const { who, patient, trial } = context
      // the operator's trial is not delayed and takes no facade key's share
      if (trial) return turnAt(begin({ who, patient }, undefined), undefined)
      quota.expect(who)
      running.expect(who)
      if (!isAgain) requireTime(context)
      if (isFree(context)) return turnAt(begin({ who, patient }, who), who)
      return queue.wait(context, pump, isAgain).then((place) => turnAt(place, place.who))
    },
  }
}
