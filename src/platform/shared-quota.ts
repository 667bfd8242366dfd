// The quota of a platform key that other replicas use, too, as one of them has it: as the ledger says while that is heard, and
// else its part of what the platform says.
import type { Standing } from './ledger.ts'
import { createQuota, type Quota } from './quota.ts'
import { createSharedShares, type SharedShares } from './shared-shares.ts'
import { createSharedWindow } from './shared-window.ts'

/** a word of the platform that is so old is tried */
const probeMs = 60_000
/** what others may have used up meanwhile: who goes without a ledger sends one call first */
const staleMs = 5_000

const nobody: ReadonlyMap<string, number> = new Map()

export interface SharedQuota extends Quota {
  readonly shares: Pick<SharedShares, 'untold' | 'untoldCalls' | 'learn'>
  /** `pending`: calls that are begun here and not yet asked for */
  learn(standing: Standing, pending: number): void
  goAlone(): void
  /** how old the ledger's word is; endless where there is none to go by */
  wordAgeMs(): number
}

export function createSharedQuota(steady: () => number, replicas: () => number): SharedQuota {
  const windows = {
    hour: createSharedWindow(3_600_000, steady, replicas),
    minute: createSharedWindow(60_000, steady, replicas),
  }
  const shares = createSharedShares(steady)
  const own = createQuota(steady, windows, shares)
  let standing: Standing | undefined
  let [learntAt, heardAt, pausedUntil] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, 0]

  /** the platform has said something, or nobody has asked it */
  const isStale = (): boolean =>
    replicas() > 1 &&
    steady() - heardAt > staleMs &&
    (heardAt === Number.NEGATIVE_INFINITY || windows.hour.limit() !== undefined)

  const pausedMs = (): number => Math.max(0, pausedUntil - steady())

  return {
    ...{ ...own, shares },
    waitMs: (who, patient) => Math.max(pausedMs(), own.waitMs(who, patient)),
    isCareful: () => own.isCareful() || (standing ? standing.careful : isStale()),
    heard(rates, occasion) {
      heardAt = steady()
      own.heard(rates, occasion)
    },
    state() {
      const state = own.state()
      return { ...state, pausedSec: Math.max(state.pausedSec, Math.ceil(pausedMs() / 1_000)) }
    },
    learn(said, pending) {
      standing = said
      learntAt = heardAt = steady()
      const isLost = !said.hour && windows.hour.limit() !== undefined
      pausedUntil = Math.max(learntAt + said.pausedMs, isLost ? pausedUntil : 0)
      const rule = {
        until: learntAt + said.waitMs,
        probeAt: learntAt + probeMs - said.idleMs,
        pending,
        careful: said.careful,
      }
      windows.hour.rule({ ...rule, window: said.hour })
      windows.minute.rule({ ...rule, window: said.minute })
    },
    goAlone() {
      standing = undefined
      shares.learn(nobody, undefined)
      windows.hour.free()
      windows.minute.free()
    },
    wordAgeMs: () => (standing ? steady() - learntAt : Number.POSITIVE_INFINITY),
  }
}
