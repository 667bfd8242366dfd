// A removed key or connection is refused on every replica one second after its removal was acknowledged.
import { type Checker, createFaults } from './checker.ts'

export interface Use {
  /** the id of the key and of the connection */
  readonly things: readonly string[]
  readonly replica: string
  readonly status: number
  readonly sentAt: number
}

export interface TakenAway extends Checker {
  /** the removal was acknowledged at that time */
  acknowledged(thing: string, at: number): void
  used(use: Use): void
  /** how long after the acknowledgement a use last succeeded */
  readonly longestMs: () => number
  readonly count: () => number
}

export function createTakenAway(promisedMs = 1_000): TakenAway {
  const faults = createFaults()
  const revocations = new Map<string, number>()
  let longestMs = 0
  return {
    promise: `nothing opens ${promisedMs} ms after it was taken away`,
    acknowledged: (thing, at) => void revocations.set(thing, at),
    used({ things, replica, status, sentAt }) {
      if (status !== 200) return
      for (const thing of things) {
        const lateMs = sentAt - (revocations.get(thing) ?? Number.POSITIVE_INFINITY)
        longestMs = Math.max(longestMs, lateMs)
        if (lateMs > promisedMs) faults.add(`${thing} opened at ${replica} ${lateMs.toFixed(0)} ms after its end`)
      }
    },
    longestMs: () => longestMs,
    count: () => revocations.size,
    faults: faults.all,
  }
}
