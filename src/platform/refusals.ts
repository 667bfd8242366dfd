// Where the platform answers 401. A refusal is held against its lane first (a facade key and a kind of read): the key itself
// rests only after a neutral read was refused too, so ids that draw 401 are nothing to other callers.
import { LRUCache } from 'lru-cache'
import { Problem } from '../problem.ts'
import { neutralEveryMs } from './neutral.ts'
import { readHttpDate } from './retry-after.ts'
import { harmlessMs, lateMs, longPauseMs, shortPauseMs, type Signer } from './signer.ts'

const mostLanes = 500

export interface Refusals {
  /** throws while the platform is known to refuse reads of this lane */
  check(lane: string): void
  /** the platform took the token, and told its time */
  accepted(token: string, date: string | undefined): void
  /** false where this lane was refused a moment ago and the key is good: to ask once more would only cost quota */
  mayRepeat(lane: string): boolean
  /** the date of a refusal, unless it contradicts what the platform told with an answer a moment ago */
  believed(date: string | undefined): string | undefined
  /** the platform refused this token for good; `isNeutral`: for a read that no id can be the cause of */
  tell(lane: string, token: string, isNeutral: boolean): void
  /** whether the platform's last word of the key was a refusal */
  isRejected(): boolean
}

interface RefusalsParts {
  readonly signer: Signer
  readonly steady: () => number
  readonly paused: (pauseSec: number) => void
  /** the key is refused again and again, and never taken: is it the key? */
  readonly doubt: () => void
}

const never = Number.NEGATIVE_INFINITY

export function createRefusals({ signer, steady, paused, doubt }: RefusalsParts): Refusals {
  const refusedAt = new LRUCache<string, number>({ max: mostLanes })
  let accepted: { readonly at: number; readonly date: string | undefined } = { at: never, date: undefined }
  let [lastAt, neutralAt, quietUntil, sinceAccepted] = [never, never, never, 0]

  /** short where the key was good within the minute before, or has been since */
  const pauseMs = (at: number): number => (accepted.at > at - lateMs ? shortPauseMs : longPauseMs)
  const isResting = (at: number): boolean => steady() < at + pauseMs(at)

  /** with a good key beside it, one line a minute is enough */
  function warn() {
    if (steady() < quietUntil) return
    quietUntil = steady() + lateMs
    paused(pauseMs(steady()) / 1_000)
  }

  return {
    check(lane) {
      const at = refusedAt.get(lane)
      if (at !== undefined && isResting(at))
        throw new Problem('upstream_key_rejected', {
          cause: 'the platform refused the key for such a read a moment ago',
        })
    },
    accepted(token, date) {
      accepted = { at: steady(), date }
      sinceAccepted = 0
      signer.accepted(token)
    },
    mayRepeat(lane) {
      const at = refusedAt.get(lane) ?? never
      return steady() - at >= lateMs || accepted.at <= at - lateMs
    },
    believed(date) {
      const [told, known] = [readHttpDate(date), readHttpDate(accepted.date)]
      if (told === undefined || known === undefined || steady() - accepted.at >= lateMs) return date
      return Math.abs(told - known - (steady() - accepted.at)) <= harmlessMs ? date : undefined
    },
    tell(lane, token, isNeutral) {
      if (isNeutral) {
        neutralAt = steady()
        return signer.rejected(token)
      }
      lastAt = steady()
      refusedAt.set(lane, lastAt)
      sinceAccepted++
      warn()
      if (sinceAccepted < 2) return undefined
      if (neutralAt > accepted.at && steady() - neutralAt < neutralEveryMs) return signer.rejected(token)
      return doubt()
    },
    isRejected: () => signer.isRejected() || (lastAt > accepted.at && isResting(lastAt)),
  }
}
