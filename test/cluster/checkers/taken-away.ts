// What was taken away, a key or a connection, opens nothing a second after that was acknowledged, on any replica.
import { type Checker, createFaults } from './checker.ts'

export interface Use {
  /** the key's id, and the connection's */
  readonly things: readonly string[]
  readonly replica: string
  readonly status: number
  readonly sentAt: number
}

export interface TakenAway extends Checker {
  /** the taking was answered at that time */
  acknowledged(thing: string, at: number): void
  used(use: Use): void
  /** how long after the word was a use last answered well */
  readonly longestMs: () => number
  readonly count: () => number
}

export function createTakenAway(promisedMs = 1_000): TakenAway {
  const faults = createFaults()
  const takings = new Map<string, number>()
  let longestMs = 0
  return {
    promise: `nothing opens ${promisedMs} ms after it was taken away`,
    acknowledged: (thing, at) => void takings.set(thing, at),
    used({ things, replica, status, sentAt }) {
      if (status !== 200) return
      for (const thing of things) {
        const lateMs = sentAt - (takings.get(thing) ?? Number.POSITIVE_INFINITY)
        longestMs = Math.max(longestMs, lateMs)
        if (lateMs > promisedMs) faults.add(`${thing} opened at ${replica} ${lateMs.toFixed(0)} ms after its end`)
      }
    },
    longestMs: () => longestMs,
    count: () => takings.size,
    faults: faults.all,
  }
}
