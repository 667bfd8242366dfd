// One of the platform's windows, modelled: what it said was left, less what was asked since, plus what has aged.
import type { Window } from '../engine/port.ts'
import type { Told } from './rate-header.ts'
import { createRolling } from './rolling.ts'

/** a word of the platform that is so old is tried: others use the key too, and their calls age unseen */
const probeMs = 60_000

/** when the platform said it */
export interface Occasion {
  /** other calls that were under way, and that it may not have counted */
  readonly running: number
  /** when the call began that it answered */
  readonly begunAt: number
}

export interface ModelWindow {
  spend(): void
  /** a call that was counted was not made */
  takeBack(): void
  tell(told: Told, occasion: Occasion): void
  /** undefined: the platform has not said */
  limit(): number | undefined
  /** whole calls that may be made now */
  remaining(): number
  /** milliseconds until the platform's word is old enough to be tried */
  untilProbeMs(): number
  /** milliseconds until one more may be made; 0: now */
  waitMs(): number
  /** for people; undefined: the platform has not said */
  shown(): Window | undefined
}

/**
 * Words of the platform of which each may be its latest: answers overtake each other, and which call it counted last is not
 * known. A call that began when a word had been heard was counted after that one.
 */
function createWords(steady: () => number) {
  let words: { readonly left: number; readonly heardAt: number }[] = []
  return (left: number, begunAt: number): number => {
    words = words.filter(({ heardAt }) => heardAt >= begunAt)
    words.push({ left, heardAt: steady() })
    return Math.min(...words.map((word) => word.left))
  }
}

export function createWindow(lengthMs: number, steady: () => number): ModelWindow {
  const own = createRolling(lengthMs, 60, steady)
  const leastOf = createWords(steady)
  let told: Told | undefined
  let since = 0
  let toldAt = 0
  let spentAt = 0

  const untilProbeMs = (): number => Math.max(0, Math.max(toldAt, spentAt) + Math.min(probeMs, lengthMs) - steady())

  function remaining(): number {
    if (!told) return Number.POSITIVE_INFINITY
    since -= own.takeAged()
    // what others had used when it was said is older than the window by then
    const isAged = steady() - toldAt >= lengthMs
    const left = Math.min(told.limit, isAged ? told.limit - own.total() : told.remaining - since)
    return left < 1 && untilProbeMs() === 0 ? 1 : Math.max(0, left)
  }

  return {
    spend() {
      own.add()
      since++
      spentAt = steady()
    },
    takeBack() {
      if (own.takeBack()) since--
    },
    tell(fresh, { running, begunAt }) {
      own.takeAged()
      told = { limit: fresh.limit, remaining: leastOf(fresh.remaining, begunAt) }
      since = running
      toldAt = steady()
    },
    limit: () => told?.limit,
    remaining,
    untilProbeMs,
    waitMs: () => (remaining() >= 1 ? 0 : Math.max(1, Math.min(untilProbeMs(), own.nextAgeMs() ?? probeMs))),
    shown: () => told && { limit: told.limit, remaining: Math.floor(remaining()) },
  }
}
