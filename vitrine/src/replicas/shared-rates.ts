// The rate limit of a facade key over all replicas, or its budget of platform calls, counted in Redis. Each replica counts as well: without Redis it grants
// its part of the limit, less what it has already granted.
import { steadyMs } from '../../../base/core/abort.ts'
import { hash } from 'node:crypto'
import { type KeyAllowance, createWindows, type KeyRates, resetSecOf } from '../../../base/auth/rate-limits.ts'
import type { Redis } from '../../../base/redis/redis.ts'
import { script } from '../../../base/redis/script.ts'

const minuteMs = 60_000
/** how far the end of one window may move: an answer takes a while, and clocks differ by 1 ms a second */
const slackOf = (windowMs: number): number => 100 + windowMs / 1_000

/** The window begins with its first request; it restarts where the clock of Redis was set back. */
const count = script(`
local count = redis.call('INCRBY', KEYS[1], ARGV[2])
local left = redis.call('PTTL', KEYS[1])
local window = tonumber(ARGV[1])
if left < 0 or left > window then
  redis.call('PEXPIRE', KEYS[1], window)
  left = window
end
return {count, left}`)

const showCount = script(`return {tonumber(redis.call('GET', KEYS[1]) or '0'), redis.call('PTTL', KEYS[1])}`)

type RedisCount = readonly [taken: number, leftMs: number]

function readCount(answer: unknown, windowMs: number): RedisCount | undefined {
  const [taken, leftMs] = Array.isArray(answer) && answer.length === 2 ? (answer as unknown[]) : []
  const isCount = Number.isSafeInteger(taken) && (taken as number) >= 0
  const isTime = Number.isSafeInteger(leftMs) && (leftMs as number) >= 0 && (leftMs as number) <= windowMs
  return isCount && isTime ? [taken as number, leftMs as number] : undefined
}

interface Window {
  endsAt: number
  own: number
  /** granted by this replica, and not yet counted in Redis */
  owed: number
  left: number
  /** the latest moment at which it ends in Redis */
  latestEnd: number
  /** the count of Redis is incomplete: our own part of the limit applies as well */
  isPartial: boolean
}

export interface SharedRatesOptions {
  readonly standard: number
  readonly redis: Pick<Redis, 'run' | 'name' | 'state'> | undefined
  readonly replicas: () => number
  readonly steady?: () => number
  readonly windowMs?: number
  /** what is counted, in names in Redis */
  readonly kind?: 'rate' | 'budget'
}

/** for one window after Redis came back, its count may lack what was granted without it */
function createRecoveryCheck(
  redis: SharedRatesOptions['redis'],
  windowMs: number,
  steady: () => number,
): () => boolean {
  const first = redis?.state()
  return () => {
    const state = redis?.state()
    if (!state || !first || (first.up && state.since === first.since)) return false
    return steady() - state.since < windowMs
  }
}

const nameOf = ({ redis, kind = 'rate' }: SharedRatesOptions, id: string) =>
  redis?.name(kind, hash('sha256', id, 'base64url'))

interface Measured extends Pick<SharedRatesOptions, 'replicas'> {
  readonly steady: () => number
  readonly windowMs: number
}

const measuresOf = ({ replicas, steady, windowMs }: Measured) => ({
  leftOfPart: ({ own, left }: Pick<Window, 'own' | 'left'>, limit: number): number =>
    Math.max(0, Math.min(left, Math.max(1, Math.floor(limit / replicas())) - own)),
  allowanceOf: (limit: number, left: number, endsAt: number, allowed: boolean): KeyAllowance => ({
    limit,
    windowSec: windowMs / 1_000,
    allowed,
    remaining: Math.max(0, left - (allowed ? 1 : 0)),
    resetSec: resetSecOf(endsAt - steady(), windowMs),
  }),
})

type Take = (id: string, limit: number) => Promise<KeyAllowance>

/** what Redis and this replica know, without a change of either */
function createLook(
  options: SharedRatesOptions,
  known: (id: string) => Window | undefined,
  { leftOfPart, allowanceOf }: ReturnType<typeof measuresOf>,
): Take {
  const { redis, steady = steadyMs, windowMs = minuteMs } = options
  return async (id, limit) => {
    const [name, askedAt, window] = [nameOf(options, id), steady(), known(id)]
    const shown = name === undefined ? undefined : await redis?.run(showCount, [name], [])
    // without a count, PTTL is negative
    const [taken, leftMs] = readCount(shown, windowMs) ?? [0, windowMs]
    const { own = 0, left: kept = limit, isPartial = false } = window ?? {}
    const ours = isPartial || !shown ? leftOfPart({ own, left: kept }, limit) : limit - own
    const left = Math.max(0, Math.min(limit - taken, ours))
    const endsAt = Math.min(askedAt + leftMs, window?.endsAt ?? Infinity)
    return { ...allowanceOf(limit, left, endsAt, left > 0), remaining: left }
  }
}

const withLimit =
  (act: Take, standard: number): KeyRates['take'] =>
  async ({ id, perMinute }) => {
    const limit = perMinute ?? standard
    return limit === 0 ? undefined : act(id, limit)
  }

export function createSharedRates(options: SharedRatesOptions): KeyRates {
  const { standard, redis, replicas, steady = steadyMs, windowMs = minuteMs } = options
  const windows = createWindows(steady, (now, limit): Window => {
    const endsAt = now + windowMs
    return { endsAt, own: 0, owed: 0, left: limit, latestEnd: Infinity, isPartial: false }
  })
  const isRecovering = createRecoveryCheck(redis, windowMs, steady)
  const measures = measuresOf({ replicas, steady, windowMs })
  const { leftOfPart, allowanceOf } = measures
  function grant(window: Window) {
    window.own++
    window.left--
  }

  function takeAlone(id: string, limit: number, isAsked: boolean | undefined): KeyAllowance {
    const window = windows.of(id, limit)
    window.isPartial = true
    const left = leftOfPart(window, limit)
    if (left > 0) grant(window)
    // a question that was not answered in time was counted more often than not
    if (left > 0 && !isAsked) window.owed++
    return allowanceOf(limit, left, window.endsAt, left > 0)
  }

  function takeCounted(id: string, limit: number, [taken, leftMs]: RedisCount, askedAt: number): KeyAllowance {
    const window = windows.of(id, limit)
    const [endsAt, latestEnd] = [askedAt + leftMs, steady() + leftMs]
    // a later end means a new window: the count of the old one is lost
    window.isPartial ||= isRecovering() || endsAt > window.latestEnd + slackOf(windowMs)
    // our own grants are known even where Redis lost some
    const left = Math.min(limit - taken + 1, limit - window.own)
    if (!window.isPartial) {
      // repeated losses must not move the end forward in small steps
      const ends = { endsAt: Math.min(window.endsAt, endsAt), latestEnd: Math.min(window.latestEnd, latestEnd) }
      Object.assign(window, { ...ends, left })
    }
    const leftHere = window.isPartial ? Math.min(left, leftOfPart(window, limit)) : left
    if (leftHere > 0) grant(window)
    return allowanceOf(limit, leftHere, left > 0 ? window.endsAt : endsAt, leftHere > 0)
  }

  /** adds what was granted alone to the first question that is answered */
  async function ask(id: string, window: Window, points: 0 | 1): Promise<RedisCount | undefined> {
    const name = nameOf(options, id)
    const { owed } = window
    if (name === undefined || owed + points === 0) return undefined
    window.owed = 0
    const counted = readCount(await redis?.run(count, [name], [windowMs, owed + points]), windowMs)
    const isCounted = counted !== undefined && counted[0] > 0
    if (!isCounted) window.owed += owed
    return isCounted ? counted : undefined
  }

  async function take(id: string, limit: number): Promise<KeyAllowance> {
    const known = windows.of(id, limit)
    // a request that is refused here takes nothing from other replicas
    if (known.isPartial && leftOfPart(known, limit) === 0) {
      void ask(id, known, 0)
      return allowanceOf(limit, 0, known.endsAt, false)
    }
    const [askedAt, isAsked] = [steady(), redis?.state().up]
    const counted = await ask(id, known, 1)
    return counted ? takeCounted(id, limit, counted, askedAt) : takeAlone(id, limit, isAsked)
  }

  const look = createLook(options, windows.known, measures)
  return { take: withLimit(take, standard), look: withLimit(look, standard) }
}
