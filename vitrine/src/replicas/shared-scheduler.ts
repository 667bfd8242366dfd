// Schedules calls of a platform key that other replicas use too: a local scheduler for order and concurrency, and the shared
// quota for permission. While Redis is down, it goes by this replica's part of the quota.
import type { ReadContext } from '../platform/port.ts'
import {
  LocalScheduler,
  type Scheduler,
  type SchedulerOptions,
  type Turn,
  turnOf,
} from '../platform/schedule/scheduler.ts'
import type { SharedQuota } from './shared-quota.ts'
import type { QuotaWindow } from '../platform/port.ts'
import { createQuotaSync } from './quota-sync.ts'
import { ReplicaQuota } from './replica-quota.ts'
import { problemOfAbort } from '../problems.ts'

export interface SharedSchedulerOptions extends Omit<SchedulerOptions, 'most' | 'quota'> {
  readonly most: number
  readonly replicas: () => number
  readonly sharedQuota: SharedQuota | undefined
}

/** how old a displayed quota may be before the next look refreshes it */
const shownMs = 1_000

export const concurrencyPerReplica = (most: number, replicas: number): number => Math.max(1, Math.ceil(most / replicas))

export function createSharedScheduler(options: SharedSchedulerOptions): Scheduler {
  const { most, replicas, steady, shed, sharedQuota } = options
  const quota = new ReplicaQuota(steady, replicas)
  const local = new LocalScheduler({ most: () => concurrencyPerReplica(most, replicas()), steady, shed, quota })
  return sharedQuota ? createWithSharedQuota(local, quota, sharedQuota) : local
}

interface Reservation {
  /** empty: Redis was not asked */
  id: string
  isReported: boolean
}

const noReservation = (): Reservation => ({ id: '', isReported: false })
const reservationOf = (sharedQuota: SharedQuota): Reservation => ({ id: sharedQuota.newId(), isReported: false })

function createReservations(sharedQuota: SharedQuota) {
  const known = new WeakMap<Turn, Reservation>()
  return {
    of: (turn: Turn | undefined): Reservation | undefined => turn && known.get(turn),
    hold(turn: Turn, call: Reservation): Turn {
      const own = turnOf((isUsed) => {
        // first: another replica may use what it gives back
        if (!isUsed) void sharedQuota.release(call.id)
        else if (!call.isReported) void sharedQuota.ended(call.id)
        turn.leave(isUsed)
      })
      known.set(own, call)
      return own
    },
  }
}

function createWithSharedQuota(local: LocalScheduler, quota: ReplicaQuota, sharedQuota: SharedQuota): Scheduler {
  const reservations = createReservations(sharedQuota)
  const sync = createQuotaSync({ local, quota, sharedQuota })
  let reported: QuotaWindow | undefined

  function enterAlone(context: ReadContext, isAgain: boolean): Turn | Promise<Turn> {
    sync.goAlone()
    const entered = local.enter(context, isAgain)
    const own = (turn: Turn) => reservations.hold(turn, noReservation())
    return entered instanceof Promise ? entered.then(own) : own(entered)
  }

  async function enter(context: ReadContext): Promise<Turn> {
    const { who, patient, signal, trial = false } = context
    for (let isAgain = false; ; isAgain = true) {
      if (!trial && sync.isOld() && quota.waitMs(who, patient) > 0) await sync.read()
      const turn = await local.enter(context, isAgain)
      const call = reservationOf(sharedQuota)
      const isGranted = await sync.reserve(call.id, trial)
      const own = reservations.hold(turn, call)
      if (isGranted && !signal.aborted) return own
      own.leave(false)
      if (signal.aborted) throw problemOfAbort(signal)
      if (isGranted === undefined) return enterAlone(context, true)
    }
  }

  /** the retry of a call needs a reservation of its own, which the turn ends from now on */
  async function spendMore(who: string | undefined, first: Reservation): Promise<boolean> {
    const call = reservationOf(sharedQuota)
    if ((await sync.reserve(call.id, who === undefined)) === false) return false
    if (!first.isReported) void sharedQuota.ended(first.id)
    Object.assign(first, call)
    quota.spend(who)
    return true
  }

  return {
    answered: (ms) => local.answered(ms),
    typicalMs: () => local.typicalMs(),
    hour() {
      sync.refresh(shownMs)
      return local.hour() ?? reported
    },
    state() {
      sync.refresh(shownMs)
      return local.state()
    },
    enter(context) {
      sync.begin()
      return sharedQuota.isUp() ? enter(context) : enterAlone(context, false)
    },
    quota: {
      welcome: () => local.quota.welcome(),
      spend(who, turn) {
        const call = reservations.of(turn)
        if (call && sharedQuota.isUp()) return spendMore(who, call)
        sync.goAlone()
        return local.quota.spend(who)
      },
      refused(retryAfterSec, begunAt) {
        const alone = () => local.quota.refused(retryAfterSec, begunAt)
        if (sharedQuota.isUp()) void sync.apply(sharedQuota.rest(retryAfterSec), alone)
        else alone()
      },
    },
    heard(rates, begunAt, answered) {
      const call = reservations.of(answered?.turn)
      const alone = () => local.heard(rates, begunAt)
      reported = rates.hour ?? reported
      if (call && sharedQuota.isUp()) {
        call.isReported = true
        void sync.apply(sharedQuota.heard(call.id, rates, answered?.isRefusal ?? false), alone)
      } else {
        sync.goAlone()
        alone()
      }
    },
  }
}
