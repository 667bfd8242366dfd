// What 401 answers say of the signing key. A refusal counts against its lane first (a facade key and a kind of read); the key
// itself rests only after a neutral read was refused too, so an id that draws 401 does no harm to other callers.
import { LRUCache } from 'lru-cache'
import { LightAbort } from '../../../../base/core/abort.ts'
import type { PlatformDocument, PlatformRead } from '../../engine/port.ts'
import { Problem } from '../../problems.ts'
import type { ReadContext } from '../port.ts'
import { readHttpDate } from '../retry/retry-after.ts'
import { harmlessMs, longPauseMs, recentMs, shortPauseMs, type Signer } from './signer.ts'

/** cheap, and no caller's: it tells whether the platform answers this connection and takes its key */
const neutralRead: PlatformRead = {
  target: '/v1/apps?fields%5Bapps%5D=bundleId&limit=1',
  accept: 'application/json',
  given: new Map(),
}
/** at most 240 of the 3,600 calls that a signing key has in an hour */
const neutralEveryMs = 15_000

export const neutralLane = ''

/** The facade key and the kind of read. A platform path is `/version/type/id/relation`: without its id it is the kind. */
export function laneOf({ target }: PlatformRead, { who, trial }: ReadContext): string {
  if (trial) return neutralLane
  const queryAt = target.indexOf('?')
  const path = target.slice(0, queryAt < 0 ? target.length : queryAt)
  const idAt = path.indexOf('/', path.indexOf('/', 1) + 1)
  if (idAt < 0) return who + path
  const relationAt = path.indexOf('/', idAt + 1)
  return who + path.slice(0, idAt) + (relationAt < 0 ? '' : path.slice(relationAt))
}

/** whether a refusal of this read can only mean the key: no id or filter is in it */
const isNeutral = ({ target }: PlatformRead): boolean =>
  /^\/v1\/apps(\?|$)/.test(target) && !target.includes('filter%5B')

interface NeutralParts {
  readonly make: (read: PlatformRead, context: ReadContext) => Promise<PlatformDocument>
  readonly steady: () => number
  readonly isPaused: () => boolean
}

export function createNeutral({ make, steady, isPaused }: NeutralParts): () => void {
  let isRunning = false
  let lastAt = Number.NEGATIVE_INFINITY
  return () => {
    if (isRunning || steady() - lastAt < neutralEveryMs || isPaused()) return
    isRunning = true
    lastAt = steady()
    const making = make(neutralRead, {
      signal: new LightAbort(),
      endsAt: Number.POSITIVE_INFINITY,
      who: 'neutral',
      patient: false,
      fresh: true,
      trial: true,
      cost: { calls: 0, retries: 0, shared: 0, waitedMs: 0, platformMs: 0 },
    })
    void making.catch(() => {}).finally(() => (isRunning = false))
  }
}

const mostLanes = 500

interface KeyRefusalsParts {
  readonly signer: Signer
  readonly steady: () => number
  readonly paused: (pauseSec: number) => void
  /** asks for a neutral read: the key was refused several times and not taken since */
  readonly doubt: () => void
}

const never = Number.NEGATIVE_INFINITY

export class KeyRefusals {
  readonly #parts: KeyRefusalsParts
  #refusedAt: LRUCache<string, number> | undefined
  #acceptedAt = never
  #acceptedDate: string | undefined
  #lastAt = never
  #neutralAt = never
  #quietUntil = never
  #sinceAccepted = 0

  constructor(parts: KeyRefusalsParts) {
    this.#parts = parts
  }

  check(lane: string) {
    const at = this.#refusedAt?.get(lane)
    if (at !== undefined && this.#isResting(at))
      throw new Problem('upstream_key_rejected', {
        cause: 'the platform refused the key for such a read a moment ago',
      })
  }

  accepted(token: string, date: string | undefined) {
    this.#acceptedAt = this.#parts.steady()
    this.#acceptedDate = date
    this.#sinceAccepted = 0
    this.#parts.signer.accepted(token)
  }

  /** false where this lane was refused a moment ago and the key is good: another call would only cost quota */
  mayRetry(lane: string): boolean {
    const at = this.#refusedAt?.get(lane) ?? never
    return this.#parts.steady() - at >= recentMs || this.#acceptedAt <= at - recentMs
  }

  /** the date of a refusal, unless it contradicts that of a recent answer */
  believed(date: string | undefined): string | undefined {
    const [refusalMs, answerMs] = [readHttpDate(date), readHttpDate(this.#acceptedDate)]
    const sinceMs = this.#parts.steady() - this.#acceptedAt
    if (refusalMs === undefined || answerMs === undefined || sinceMs >= recentMs) return date
    return Math.abs(refusalMs - answerMs - sinceMs) <= harmlessMs ? date : undefined
  }

  refused(lane: string, token: string, read: PlatformRead) {
    const { signer, steady, doubt } = this.#parts
    const now = steady()
    if (isNeutral(read)) {
      this.#neutralAt = now
      return signer.rejected(token)
    }
    this.#lastAt = now
    this.#refusedAt ??= new LRUCache<string, number>({ max: mostLanes })
    this.#refusedAt.set(lane, now)
    this.#sinceAccepted++
    this.#warn()
    if (this.#sinceAccepted < 2) return undefined
    if (this.#neutralAt > this.#acceptedAt && now - this.#neutralAt < neutralEveryMs) return signer.rejected(token)
    return doubt()
  }

  isRejected(): boolean {
    return this.#parts.signer.isRejected() || (this.#lastAt > this.#acceptedAt && this.#isResting(this.#lastAt))
  }

  #pauseMs(at: number): number {
    return this.#acceptedAt > at - recentMs ? shortPauseMs : longPauseMs
  }

  #isResting(at: number): boolean {
    return this.#parts.steady() < at + this.#pauseMs(at)
  }

  #warn() {
    const now = this.#parts.steady()
    if (now < this.#quietUntil) return
    this.#quietUntil = now + recentMs
    this.#parts.paused(this.#pauseMs(now) / 1_000)
  }
}
