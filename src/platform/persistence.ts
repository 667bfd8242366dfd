// Tries again what may well succeed: a few times, after a pause, within the time that the caller has, and no oftener than
// successes have paid for.
import type { Errand, PlatformRead } from '../engine/port.ts'
import type { Attempt } from './attempt.ts'
import type { Budget } from './budget.ts'
import { Failure } from './failures.ts'
import { limits } from './limits.ts'
import { pause } from './time.ts'

/** full jitter: anything from nothing to the first, three times as much for the second repeat */
const [firstPauseMs, longestPauseMs] = [100, 1_000]

interface Tried {
  readonly failure: Failure
  /** so far */
  readonly calls: number
  readonly tookMs: number
}

export interface PersistenceParts {
  readonly attempt: Attempt
  /** of a facade key */
  readonly budgetOf: (who: string) => Budget
  readonly steady: () => number
}

export function createPersistence({ attempt, budgetOf, steady }: PersistenceParts) {
  /** how long to wait before the next attempt; undefined: there is none */
  function pauseAfter({ failure, calls, tookMs }: Tried, { who, endsAt }: Errand): number | undefined {
    if (!failure.again || calls >= limits.calls) return undefined
    if (failure.stale && calls === 1) return 0
    const pauseMs = Math.random() * Math.min(longestPauseMs, firstPauseMs * 3 ** (calls - 1))
    // a repeat takes about as long as what it repeats
    if (steady() + pauseMs + tookMs > endsAt) return undefined
    return budgetOf(who).spend() ? pauseMs : undefined
  }

  return async (read: PlatformRead, errand: Errand): Promise<unknown> => {
    let last: Failure | undefined
    for (let calls = 0; ;) {
      const startedAt = steady()
      try {
        const document = await attempt(read, errand, calls + 1)
        budgetOf(errand.who).earn()
        return document
      } catch (error) {
        // a repeat that was not let through says less than the failure before it
        if (!(error instanceof Failure)) throw errand.signal.aborted ? error : (last?.problem ?? error)
        last = error
        calls += error.calls
        const pauseMs = pauseAfter({ failure: error, calls, tookMs: steady() - startedAt }, errand)
        if (pauseMs === undefined) throw error.problem
        await pause(pauseMs, errand.signal)
      }
    }
  }
}
