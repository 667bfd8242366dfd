// Counts what happened within the last hour, or minute, in slots: what leaves the window is no longer counted.

export interface Rolling {
  add(): void
  /** the latest one did not happen after all; false where there is none to take back */
  takeBack(): boolean
  total(): number
  /** how many have left the window since they were last asked for */
  takeAged(): number
  /** milliseconds until the oldest ones leave the window; undefined where there are none */
  nextAgeMs(): number | undefined
}

interface Slot {
  readonly endsAt: number
  count: number
}

export function createRolling(lengthMs: number, slots: number, steady: () => number): Rolling {
  const slotMs = lengthMs / slots
  let kept: Slot[] = []
  let sum = 0
  let aged = 0

  function advance(): number {
    const now = steady()
    for (; kept[0] && kept[0].endsAt + lengthMs <= now; kept = kept.slice(1)) {
      sum -= kept[0].count
      aged += kept[0].count
    }
    return now
  }

  return {
    add() {
      const now = advance()
      const last = kept.at(-1)
      if (last && last.endsAt > now) last.count++
      else kept.push({ endsAt: now + slotMs, count: 1 })
      sum++
    },
    takeBack() {
      const last = kept.at(-1)
      if (!last || last.count === 0) return false
      last.count--
      sum--
      return true
    },
    total() {
      advance()
      return sum
    },
    takeAged() {
      advance()
      const since = aged
      aged = 0
      return since
    },
    nextAgeMs() {
      const now = advance()
      return kept[0] && Math.max(1, kept[0].endsAt + lengthMs - now)
    },
  }
}
