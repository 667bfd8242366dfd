// Errands for tests of the platform's parts, and a clock that a test moves.
import { type Errand, noCost } from '../../src/engine/port.ts'

export interface Clock {
  readonly steady: () => number
  pass(ms: number): void
}

export function createClock(): Clock {
  let at = 1_000
  return { steady: () => at, pass: (ms) => void (at += ms) }
}

export const errand = (wish: Partial<Errand> = {}): Errand => ({
  ...{ signal: new AbortController().signal, endsAt: Number.POSITIVE_INFINITY },
  ...{ who: 'key', patient: false, fresh: false, cost: noCost() },
  ...wish,
})

/** lets everything that waits for nothing but the next turn go on */
export const turns = async (count = 5) => {
  for (let i = 0; i < count; i++) await new Promise((ok) => setImmediate(ok))
}
