// A window of the platform's quota in one replica: the shared state while Redis answers, else this replica's part of what the
// platform reports.
import type { QuotaWindow } from '../platform/port.ts'
import { LocalWindow, type ModelWindow } from '../platform/schedule/quota-window.ts'

/** times are of the steady clock; no call starts before `until` */
export interface SharedWindowState {
  readonly window: QuotaWindow | undefined
  readonly until: number
  /** when the shared report is old enough to be tried */
  readonly probeAt: number
  readonly pending: number
  /** the shared state may miss calls that were counted only here */
  readonly careful: boolean
}

export interface ReplicaWindow extends ModelWindow {
  setShared(state: SharedWindowState): void
  free(): void
}

const whole = (sum: number): number => Math.floor(sum + 1e-6)

export function createReplicaWindow(lengthMs: number, steady: () => number, replicas: () => number): ReplicaWindow {
  const alone = new LocalWindow(lengthMs, steady)
  let shared: SharedWindowState | undefined
  let since = 0
  let parts = 1
  /** the shared state misses calls that were counted only here */
  let isAhead = false

  function tell({ limit, remaining }: QuotaWindow, occasion: Parameters<ModelWindow['tell']>[1]) {
    parts = replicas()
    alone.tell({ limit: limit / parts, remaining: remaining / parts }, occasion)
  }

  const limit = (): number | undefined => (shared ? shared.window?.limit : alone.limit())
  const left = ({ window }: SharedWindowState): number =>
    Math.max(0, (window?.remaining ?? Number.POSITIVE_INFINITY) - since)

  return {
    spend() {
      alone.spend()
      since++
      isAhead ||= !shared
    },
    takeBack() {
      alone.takeBack()
      since = Math.max(0, since - 1)
    },
    tell,
    limit,
    remaining: () => (shared ? left(shared) : alone.remaining()),
    untilProbeMs: () => (shared ? Math.max(0, shared.probeAt - steady()) : alone.untilProbeMs()),
    waitMs: () => (shared ? Math.max(0, shared.until - steady()) : alone.waitMs()),
    shown() {
      const most = limit()
      if (most === undefined) return undefined
      if (shared) return { limit: most, remaining: left(shared) }
      return { limit: Math.round(most * parts), remaining: whole(alone.remaining() * parts) }
    },
    setShared(state) {
      // a state that was lost must not end a wait early
      if (shared?.window && !state.window && shared.until > steady()) return
      shared = state
      since = state.pending
      if (!state.careful) isAhead = false
    },
    free() {
      if (shared?.window) {
        const known = isAhead ? Math.max(0, alone.remaining() * parts) : Number.POSITIVE_INFINITY
        tell({ ...shared.window, remaining: Math.min(left(shared), known) }, { running: 0, begunAt: steady() })
      }
      shared = undefined
    },
  }
}
