// The quota of a shared platform key in one replica: the shared standing while Redis answers, else this replica's part of
// what the platform reports.
import type { QuotaStanding } from './shared-quota.ts'
import type { Occasion } from '../platform/schedule/quota-window.ts'
import type { Rates } from '../platform/schedule/rate-header.ts'
import { Quota } from '../platform/schedule/quota.ts'
import { createReplicaShare } from './replica-share.ts'
import { createReplicaWindow, type ReplicaWindow } from './replica-window.ts'

/** a report of the platform that is this old is tried */
const probeMs = 60_000
/** without Redis for this long, one call tries first: other replicas may have used the quota */
const staleMs = 5_000
/** how soon a caller looks again where a wait of the shared standing is over, and nothing newer is known */
const againMs = 100
const noUsage: ReadonlyMap<string, number> = new Map()

export class ReplicaQuota extends Quota {
  readonly shares: ReturnType<typeof createReplicaShare>
  readonly #steady: () => number
  readonly #replicas: () => number
  readonly #windows: Record<'hour' | 'minute', ReplicaWindow>
  #standing: QuotaStanding | undefined
  #readAt = Number.NEGATIVE_INFINITY
  #reportedAt = Number.NEGATIVE_INFINITY
  #pausedUntil = 0

  constructor(steady: () => number, replicas: () => number) {
    const windows = {
      hour: createReplicaWindow(3_600_000, steady, replicas),
      minute: createReplicaWindow(60_000, steady, replicas),
    }
    const shares = createReplicaShare(steady)
    super(steady, windows, shares)
    this.shares = shares
    this.#steady = steady
    this.#replicas = replicas
    this.#windows = windows
  }

  /** no recent report of the platform, though there should be one */
  #isStale(): boolean {
    const isLong = this.#replicas() > 1 && this.#steady() - this.#reportedAt > staleMs
    return isLong && (this.#reportedAt === Number.NEGATIVE_INFINITY || this.#windows.hour.limit() !== undefined)
  }

  #pausedMs(): number {
    return Math.max(0, this.#pausedUntil - this.#steady())
  }

  /** its wait is over: what it said was left no longer refuses a caller */
  #isOutdated(): boolean {
    const waitMs = this.#standing?.waitMs ?? 0
    return waitMs > 0 && this.#steady() >= this.#readAt + waitMs
  }

  override waitMs(who: string, patient: boolean): number {
    const waitMs = Math.max(this.#pausedMs(), super.waitMs(who, patient))
    return this.#isOutdated() ? Math.min(waitMs, againMs) : waitMs
  }

  override isCareful(): boolean {
    return super.isCareful() || (this.#standing ? this.#standing.careful : this.#isStale())
  }

  override heard(rates: Rates, occasion: Occasion) {
    this.#reportedAt = this.#steady()
    super.heard(rates, occasion)
  }

  override state() {
    const state = super.state()
    return { ...state, pausedSec: Math.max(state.pausedSec, Math.ceil(this.#pausedMs() / 1_000)) }
  }

  /** `pending`: calls begun here without a reservation yet */
  learn(shared: QuotaStanding, pending: number) {
    const { hour, minute } = this.#windows
    const readAt = this.#steady()
    this.#standing = shared
    this.#readAt = this.#reportedAt = readAt
    const isLost = !shared.hour && hour.limit() !== undefined
    this.#pausedUntil = Math.max(readAt + shared.pausedMs, isLost ? this.#pausedUntil : 0)
    const state = {
      until: readAt + shared.waitMs,
      probeAt: readAt + probeMs - shared.idleMs,
      pending,
      careful: shared.careful,
    }
    hour.setShared({ ...state, window: shared.hour })
    minute.setShared({ ...state, window: shared.minute })
  }

  goAlone() {
    this.#standing = undefined
    this.shares.learn(noUsage, undefined)
    this.#windows.hour.free()
    this.#windows.minute.free()
  }

  /** infinite without a standing */
  standingAgeMs(): number {
    return this.#standing ? this.#steady() - this.#readAt : Number.POSITIVE_INFINITY
  }
}
