// The quota of a shared platform key in one replica: the shared standing while Redis answers, else this replica's part of
// what the platform reports.
import type { QuotaStanding } from './shared-quota.ts'
import type { Occasion } from '../platform/schedule/quota-window.ts'
import type { Rates } from '../platform/schedule/rate-header.ts'
import { createQuota } from '../platform/schedule/quota.ts'
import { createReplicaShare } from './replica-share.ts'
import { createReplicaWindow } from './replica-window.ts'

/** a report of the platform that is this old is tried */
const probeMs = 60_000
/** without Redis for this long, one call tries first: other replicas may have used the quota */
const staleMs = 5_000
const noUsage: ReadonlyMap<string, number> = new Map()

export type ReplicaQuota = ReturnType<typeof createReplicaQuota>

export function createReplicaQuota(steady: () => number, replicas: () => number) {
  const windows = {
    hour: createReplicaWindow(3_600_000, steady, replicas),
    minute: createReplicaWindow(60_000, steady, replicas),
  }
  const shares = createReplicaShare(steady)
  const own = createQuota(steady, windows, shares)
  let standing: QuotaStanding | undefined
  let [readAt, reportedAt, pausedUntil] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, 0]

  /** no recent report of the platform, though there should be one */
  const isStale = (): boolean =>
    replicas() > 1 &&
    steady() - reportedAt > staleMs &&
    (reportedAt === Number.NEGATIVE_INFINITY || windows.hour.limit() !== undefined)

  const pausedMs = (): number => Math.max(0, pausedUntil - steady())

  return {
    ...own,
    shares,
    waitMs: (who: string, patient: boolean) => Math.max(pausedMs(), own.waitMs(who, patient)),
    isCareful: () => own.isCareful() || (standing ? standing.careful : isStale()),
    heard(rates: Rates, occasion: Occasion) {
      reportedAt = steady()
      own.heard(rates, occasion)
    },
    state() {
      const state = own.state()
      return { ...state, pausedSec: Math.max(state.pausedSec, Math.ceil(pausedMs() / 1_000)) }
    },
    /** `pending`: calls begun here without a reservation yet */
    learn(shared: QuotaStanding, pending: number) {
      standing = shared
      readAt = reportedAt = steady()
      const isLost = !shared.hour && windows.hour.limit() !== undefined
      pausedUntil = Math.max(readAt + shared.pausedMs, isLost ? pausedUntil : 0)
      const state = {
        until: readAt + shared.waitMs,
        probeAt: readAt + probeMs - shared.idleMs,
        pending,
        careful: shared.careful,
      }
      windows.hour.setShared({ ...state, window: shared.hour })
      windows.minute.setShared({ ...state, window: shared.minute })
    },
    goAlone() {
      standing = undefined
      shares.learn(noUsage, undefined)
      windows.hour.free()
      windows.minute.free()
    },
    /** infinite without a standing */
    standingAgeMs: () => (standing ? steady() - readAt : Number.POSITIVE_INFINITY),
  }
}
