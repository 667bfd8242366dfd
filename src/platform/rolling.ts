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

class Slots implements Rolling {
  readonly #lengthMs: number
  readonly #slotMs: number
  readonly #steady: () => number
  #kept: Slot[] = []
  #sum = 0
  #aged = 0

  constructor(lengthMs: number, slots: number, steady: () => number) {
    this.#lengthMs = lengthMs
    this.#slotMs = lengthMs / slots
    this.#steady = steady
  }

  add() {
    const now = this.#advance()
    const last = this.#kept.at(-1)
    if (last && last.endsAt > now) last.count++
    else this.#kept.push({ endsAt: now + this.#slotMs, count: 1 })
    this.#sum++
  }

  takeBack(): boolean {
    const last = this.#kept.at(-1)
    if (!last || last.count === 0) return false
    last.count--
    this.#sum--
    return true
  }

  total(): number {
    this.#advance()
    return this.#sum
  }

  takeAged(): number {
    this.#advance()
    const since = this.#aged
    this.#aged = 0
    return since
  }

  nextAgeMs(): number | undefined {
    const now = this.#advance()
    const eldest = this.#kept[0]
    return eldest && Math.max(1, eldest.endsAt + this.#lengthMs - now)
  }

  #advance(): number {
    const now = this.#steady()
    let eldest = this.#kept[0]
    while (eldest && eldest.endsAt + this.#lengthMs <= now) {
      this.#kept = this.#kept.slice(1)
      this.#sum -= eldest.count
      this.#aged += eldest.count
      eldest = this.#kept[0]
    }
    return now
  }
}

/** there is one for each facade key that is in use: methods of its own would be most of what it holds */
export const createRolling = (lengthMs: number, slots: number, steady: () => number): Rolling =>
  new Slots(lengthMs, slots, steady)
