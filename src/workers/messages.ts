// What the processes of one service say to each other: short tuples, since several of them go with every request.
import type { ProblemCode, ProblemExtras } from '../problem.ts'
import type { Allowance } from '../keys/rate.ts'
import type { Governor } from '../platform/governor.ts'
import type { Rates } from '../platform/rate-header.ts'

export type GovernorState = ReturnType<Governor['state']> & { readonly typicalMs?: number }

/** Times are of the machine's clock. `key` names a platform key, `id` a question of this worker. */
export type ToKeeper =
  | readonly ['enter', id: number, key: string, who: string, patient: boolean, endsAt: number | null, trial: boolean]
  /** somebody else waits for the same call now */
  | readonly ['join', id: number, who: string, patient: boolean, endsAt: number | null]
  /** a turn is over, or is not wanted any more */
  | readonly ['leave', id: number, isUsed: boolean]
  /** `turn` is the question that it came of */
  | readonly ['heard', key: string, rates: Rates, begunAt: number, turn: number | null, isRefusal: boolean]
  | readonly ['welcome', key: string]
  | readonly ['answered', key: string, durationMs: number]
  /** one more call in a turn: a question that is answered as one for a turn is */
  | readonly ['spend', id: number, key: string, who: string | null, turn: number | null]
  | readonly ['refused', key: string, retryAfterSec: number | null, begunAt: number]
  | readonly ['take', id: number, key: string, perMinute: number | null]
  | readonly ['failed', address: string]
  | readonly ['answer', id: number, value: unknown]
  | readonly ['sorry', id: number, reason: string, isOurs: boolean]

export type ToWorker =
  | readonly ['turn', id: number]
  | readonly ['no', id: number, code: ProblemCode, extras: ProblemExtras]
  | readonly ['state', key: string, state: GovernorState]
  /** null: nothing limits this key */
  | readonly ['took', id: number, allowance: Allowance | null]
  | readonly ['locked', address: string, until: number]
  | readonly ['ask', id: number, what: Question, given: unknown]

/** what the primary asks of a worker, and no more than once at a time of each */
export type Question = 'begin' | 'standing' | 'counted' | 'lately' | 'prepare' | 'commit' | 'close'

type Kinds<M extends readonly [string, ...unknown[]]> = {
  readonly [K in M[0]]: (
    ...rest: Extract<M, readonly [K, ...unknown[]]> extends readonly [K, ...infer R] ? R : never
  ) => void
}

export type Hearing<M extends readonly [string, ...unknown[]]> = Partial<Kinds<M>>

/** who hears what is told by its first word */
export function hear<M extends readonly [string, ...unknown[]]>(messages: readonly M[], hearing: Hearing<M>) {
  for (const [kind, ...rest] of messages)
    (hearing[kind as M[0]] as ((...rest: unknown[]) => void) | undefined)?.(...rest)
}

/**
 * `later`: nobody waits for it, and it goes with the next one that somebody waits for. `now`: somebody waits who should not
 * wait for what else this process does in this turn of its event loop.
 */
export type Put<M> = (message: M, when?: 'later' | 'now') => void

/** and it goes by itself after so long */
const laterMs = 1

/** What is put within one turn of the event loop goes as one message: a message costs far more than what is in it. */
export function gather<M>(send: (messages: readonly M[]) => void): Put<M> {
  let waiting: M[] = []
  let planned: 'now' | 'soon' | undefined
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    planned = undefined
    const all = waiting
    waiting = []
    if (all.length > 0) send(all)
  }
  return (message, when) => {
    waiting.push(message)
    if (when === 'now' && planned !== 'now') {
      planned = 'now'
      queueMicrotask(flush)
    } else if (planned) return
    else if (when === 'later') timer ??= setTimeout(flush, laterMs)
    else {
      planned = 'soon'
      setImmediate(flush)
    }
  }
}
