// A window of the platform that several replicas use: as whoever keeps it for all of them says, or, where nobody does, this
// one's part of what the platform says.
import type { Window } from '../engine/port.ts'
import { createWindow, type ModelWindow } from './window.ts'

/** how one stands in it: what is left, and until when nobody goes, on the steady clock */
export interface Rule {
  readonly window: Window | undefined
  readonly until: number
  /** when a word about it is so old that it is tried */
  readonly probeAt: number
  /** calls that are begun here and not yet asked for */
  readonly pending: number
  /** the ruler may not have heard of what was counted here alone */
  readonly careful: boolean
}

export interface SharedWindow extends ModelWindow {
  rule(rule: Rule): void
  /** from now on by what the platform says */
  free(): void
}

/** sums of parts come to the whole again */
const whole = (sum: number): number => Math.floor(sum + 1e-6)

export function createSharedWindow(lengthMs: number, steady: () => number, replicas: () => number): SharedWindow {
  const alone = createWindow(lengthMs, steady)
  let ruled: Rule | undefined
  /** begun since it was ruled */
  let since = 0
  let parts = 1
  /** what was counted here alone is not yet known to the ruler */
  let isAhead = false

  function tell({ limit, remaining }: Window, occasion: Parameters<ModelWindow['tell']>[1]) {
    parts = replicas()
    alone.tell({ limit: limit / parts, remaining: remaining / parts }, occasion)
  }

  const limit = (): number | undefined => (ruled ? ruled.window?.limit : alone.limit())
  const left = ({ window }: Rule): number => Math.max(0, (window?.remaining ?? Number.POSITIVE_INFINITY) - since)

  return {
    spend() {
      alone.spend()
      since++
      isAhead ||= !ruled
    },
    takeBack() {
      alone.takeBack()
      since = Math.max(0, since - 1)
    },
    tell,
    limit,
    remaining: () => (ruled ? left(ruled) : alone.remaining()),
    untilProbeMs: () => (ruled ? Math.max(0, ruled.probeAt - steady()) : alone.untilProbeMs()),
    waitMs: () => (ruled ? Math.max(0, ruled.until - steady()) : alone.waitMs()),
    shown() {
      const most = limit()
      if (most === undefined) return undefined
      if (ruled) return { limit: most, remaining: left(ruled) }
      return { limit: Math.round(most * parts), remaining: whole(alone.remaining() * parts) }
    },
    rule(rule) {
      // who has lost what it knew does not know either that somebody may go again
      if (ruled?.window && !rule.window && ruled.until > steady()) return
      ruled = rule
      since = rule.pending
      if (!rule.careful) isAhead = false
    },
    free() {
      if (ruled?.window) {
        const known = isAhead ? Math.max(0, alone.remaining() * parts) : Number.POSITIVE_INFINITY
        tell({ ...ruled.window, remaining: Math.min(left(ruled), known) }, { running: 0, begunAt: steady() })
      }
      ruled = undefined
    },
  }
}
