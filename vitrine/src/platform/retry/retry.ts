// Retries a platform call that may well succeed the next time: few times, after a pause, within the caller's deadline, and
// only as often as successful calls have paid for, so that an outage is not answered with more load.
import { LRUCache } from 'lru-cache'
import type { PlatformDocument, PlatformRead } from '../../engine/port.ts'
import { Problem } from '../../problems.ts'
import { pause } from '../abort.ts'
import type { Attempts } from '../call/attempt.ts'
import { limits } from '../call/limits.ts'
import type { ReadContext } from '../port.ts'
import { Failure } from './failures.ts'

/** full jitter: the first pause is random up to the first number, the second up to three times that */
const [firstPauseMs, longestPauseMs] = [100, 1_000]

/** credit for retries: a retry costs 1, a success earns `earned`; each facade key has its own */
const [earned, most, start] = [0.15, 10, 3]
const mostKeys = 500

class RetryBudget {
  readonly #left = new LRUCache<string, number>({ maxSize: mostKeys, sizeCalculation: () => 1 })

  earn(who: string) {
    const credit = this.#of(who)
    if (credit < most) this.#left.set(who, Math.min(most, credit + earned))
  }

  spend(who: string): boolean {
    const credit = this.#of(who)
    if (credit >= 1) this.#left.set(who, credit - 1)
    return credit >= 1
  }

  #of(who: string): number {
    return this.#left.get(who) ?? start
  }
}

interface Failed {
  readonly failure: Failure
  readonly calls: number
  readonly tookMs: number
}

/** A retry rejected before it was sent says less than the failure before it. That one key cannot pay is no answer for those who
 * share the call. */
function finalOf(error: unknown, last: Failure | undefined, { signal }: ReadContext): unknown {
  const isSpent = error instanceof Problem && error.code === 'key_budget_spent'
  return signal.aborted || isSpent ? error : (last?.problem ?? error)
}

export class Retry {
  readonly #attempts: Pick<Attempts, 'make'>
  readonly #steady: () => number
  readonly #budget = new RetryBudget()

  constructor(attempts: Pick<Attempts, 'make'>, steady: () => number) {
    this.#attempts = attempts
    this.#steady = steady
  }

  async read(read: PlatformRead, context: ReadContext): Promise<PlatformDocument> {
    let last: Failure | undefined
    for (let calls = 0; ;) {
      const startedAt = this.#steady()
      try {
        const document = await this.#attempts.make(read, context, calls + 1)
        this.#budget.earn(context.who)
        return document
      } catch (error) {
        if (!(error instanceof Failure)) throw finalOf(error, last, context)
        last = error
        calls += error.calls
        const pauseMs = this.#pauseAfter({ failure: error, calls, tookMs: this.#steady() - startedAt }, context)
        if (pauseMs === undefined) throw error.problem
        await pause(pauseMs, context.signal)
      }
    }
  }

  #pauseAfter({ failure, calls, tookMs }: Failed, { who, endsAt }: ReadContext): number | undefined {
    if (!failure.again || calls >= limits.calls) return undefined
    if (failure.stale && calls === 1) return 0
    const pauseMs = Math.random() * Math.min(longestPauseMs, firstPauseMs * 3 ** (calls - 1))
    if (this.#steady() + pauseMs + tookMs > endsAt) return undefined
    return this.#budget.spend(who) ? pauseMs : undefined
  }
}
