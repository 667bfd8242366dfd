// Read contexts for tests of the platform's parts, and a clock that a test sets.
import type { Cost, ReadContext } from '../../src/platform/port.ts'

export interface Clock {
  readonly steady: () => number
  pass(ms: number): void
}

export function createClock(): Clock {
  let at = 1_000
  return { steady: () => at, pass: (ms) => void (at += ms) }
}

export const noCost = (): Cost => ({ calls: 0, retries: 0, shared: 0, waitedMs: 0, platformMs: 0 })

export const readContext = (wish: Partial<ReadContext> = {}): ReadContext => ({
  signal: new AbortController().signal,
  endsAt: Number.POSITIVE_INFINITY,
  who: 'key',
  patient: false,
  fresh: false,
  cost: noCost(),
  ...wish,
})

/** lets everything that waits for nothing but the next turn go on */
export const turns = async (count = 5) => {
  for (let i = 0; i < count; i++) await new Promise((ok) => setImmediate(ok))
}
