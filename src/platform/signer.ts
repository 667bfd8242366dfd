// The token of one call, and what a 401 means: a whim of the platform, a clock that differs, or a key that is refused.
import { Problem } from '../problem.ts'
import { readHttpDate } from './retry-after.ts'
import type { Credential, Tokens } from './token.ts'

/** a key that was refused twice in a row is left alone for so long: less where it was good a moment ago */
export const [longPauseMs, shortPauseMs, lateMs] = [30_000, 2_000, 60_000]
/** tokens are dated back by more than that, so a smaller difference of the clocks does no harm */
export const harmlessMs = 20_000
/** no clock is that wrong; a date that far away is the platform's own mistake */
export const absurdMs = 24 * 3_600_000

export interface Signer {
  /** throws while the platform is known to refuse the key */
  check(): void
  token(target: string): string | Promise<string>
  /** the platform took it */
  accepted(token: string): void
  /** for the one repeat after a 401: the same token where it was good before, else a fresh one */
  again(target: string, refused: string, date: string | undefined): string | Promise<string>
  /** refused once more */
  rejected(token: string): void
  isRejected(): boolean
}

export interface SignerOptions {
  readonly credential: Credential
  readonly tokens: Tokens
  readonly now: () => number
  readonly steady: () => number
  readonly paused: (pauseSec: number) => void
  readonly skewed: (offsetSec: number) => void
}

/** how far the platform's clock is ahead of ours, where its date can be believed */
function offsetIn(date: string | undefined, now: number): number | undefined {
  const platformMs = readHttpDate(date)
  const offset = platformMs === undefined ? Number.NaN : platformMs - now
  return Math.abs(offset) < absurdMs ? offset : undefined
}

export function createSigner({ credential, tokens, now, steady, paused, skewed }: SignerOptions): Signer {
  let good: string | undefined
  let goodAt = Number.NEGATIVE_INFINITY
  let spent: string | undefined
  let pausedUntil = 0
  const isRejected = (): boolean => steady() < pausedUntil

  /** true where the clock is set anew */
  function learnClock(date: string | undefined): boolean {
    const offset = offsetIn(date, now())
    if (offset === undefined || Math.abs(offset - tokens.offsetMs(credential)) <= harmlessMs) return false
    tokens.setClock(credential, offset)
    skewed(Math.round(offset / 1_000))
    return true
  }

  return {
    check() {
      if (isRejected())
        throw new Problem('upstream_key_rejected', { cause: 'the platform refused the key a moment ago' })
    },
    token(target) {
      const ready = tokens.ready(credential, target)
      return ready !== undefined && ready !== spent ? ready : tokens.for(credential, target, spent)
    },
    accepted(token) {
      goodAt = steady()
      good = token
      pausedUntil = 0
    },
    again(target, refused, date) {
      const isSkewed = learnClock(date)
      return good === refused && !isSkewed ? refused : tokens.for(credential, target, refused)
    },
    rejected(token) {
      const pauseMs = steady() - goodAt < lateMs ? shortPauseMs : longPauseMs
      goodAt = Number.NEGATIVE_INFINITY
      good = undefined
      spent = token
      pausedUntil = steady() + pauseMs
      paused(pauseMs / 1_000)
    },
    isRejected,
  }
}
