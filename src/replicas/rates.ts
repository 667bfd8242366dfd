// Each key's own rate, counted by all replicas together in Redis: exact as long as it answers. Everything is counted here as
// well, so that without it each replica goes on with its part, less what it has let in by then.
import { hash } from 'node:crypto'
import type { Allowance, Rates } from '../keys/rate.ts'
import type { Redis } from './redis.ts'
import { script } from './script.ts'

const minuteMs = 60_000
/** by which two clocks may drift apart within a window */
const slackMs = 100

/** the window begins with the first request in it, as it does in memory; where the clock of Redis is set back, it begins anew */
const count = script(`
local count = redis.call('INCRBY', KEYS[1], ARGV[2])
local left = redis.call('PTTL', KEYS[1])
local window = tonumber(ARGV[1])
if left < 0 or left > window then
  redis.call('PEXPIRE', KEYS[1], window)
  left = window
end
return {count, left}`)

type Heard = readonly [taken: number, leftMs: number]

/** undefined where no count of ours could say so */
function readCount(told: unknown, windowMs: number): Heard | undefined {
  const [taken, leftMs] = Array.isArray(told) && told.length === 2 ? (told as unknown[]) : []
  const isCount = Number.isSafeInteger(taken) && (taken as number) > 0
  const isTime = Number.isSafeInteger(leftMs) && (leftMs as number) >= 0 && (leftMs as number) <= windowMs
  return isCount && isTime ? [taken as number, leftMs as number] : undefined
}

interface Window {
  /** of the steady clock */
  endsAt: number
  /** what this replica has let in */
  own: number
  /** what of it Redis was not told of */
  owed: number
  /** what is left for all, as far as this replica has heard */
  left: number
  /** it ends in Redis no later than this, as far as we have heard */
  latestEnd: number
  /** Redis does not know all of it: until its end, our own part holds as well */
  isPartial: boolean
}

export interface SharedRatesOptions {
  /** for keys without a rate of their own; 0: none */
  readonly standard: number
  readonly redis: Pick<Redis, 'run' | 'name' | 'state'> | undefined
  readonly replicas: () => number
  readonly steady?: () => number
  readonly windowMs?: number
}

function createWindows(windowMs: number, steady: () => number) {
  const windows = new Map<string, Window>()
  let sweepAt = 1_000
  return (id: string, limit: number): Window => {
    const now = steady()
    const found = windows.get(id)
    if (found && now < found.endsAt) return found
    const begun = { endsAt: now + windowMs, own: 0, owed: 0, left: limit, latestEnd: Infinity, isPartial: false }
    windows.set(id, begun)
    if (windows.size >= sweepAt) {
      for (const [one, { endsAt }] of windows) if (endsAt <= now) windows.delete(one)
      sweepAt = Math.max(1_000, 2 * windows.size)
    }
    return begun
  }
}

/** whether what Redis holds may lack what was let in without it: for a window after it came back, whoever asks here */
function createDoubt(redis: SharedRatesOptions['redis'], windowMs: number, steady: () => number): () => boolean {
  const first = redis?.state()
  return () => {
    const state = redis?.state()
    if (!state || !first || (first.up && state.since === first.since)) return false
    return steady() - state.since < windowMs
  }
}

export function createSharedRates(options: SharedRatesOptions): Rates {
  const { standard, redis, replicas, steady = () => performance.now(), windowMs = minuteMs } = options
  const windowOf = createWindows(windowMs, steady)
  const isDoubtful = createDoubt(redis, windowMs, steady)
  const leftOfPart = ({ own, left }: Window, limit: number): number =>
    Math.max(0, Math.min(left, Math.max(1, Math.floor(limit / replicas())) - own))

  const tell = (limit: number, left: number, endsAt: number, allowed: boolean): Allowance => ({
    ...{ limit, windowSec: windowMs / 1_000, allowed, remaining: Math.max(0, left - (allowed ? 1 : 0)) },
    resetSec: Math.min(windowMs / 1_000, Math.max(1, Math.ceil((endsAt - steady()) / 1_000))),
  })

  function note(window: Window) {
    window.own++
    window.left--
  }

  function takeAlone(id: string, limit: number, isAsked: boolean | undefined): Allowance {
    const window = windowOf(id, limit)
    window.isPartial = true
    const left = leftOfPart(window, limit)
    if (left > 0) note(window)
    // of what was asked and not heard in time, it knows more often than not
    if (left > 0 && !isAsked) window.owed++
    return tell(limit, left, window.endsAt, left > 0)
  }

  /** it was counted there at some moment between the question and now */
  function takeHeard(id: string, limit: number, [taken, leftMs]: Heard, askedAt: number): Allowance {
    const window = windowOf(id, limit)
    const [endsAt, latestEnd] = [askedAt + leftMs, steady() + leftMs]
    // a window that ends later than the one that we know is another one: what was counted before it is lost there
    window.isPartial ||= isDoubtful() || endsAt > window.latestEnd + slackMs
    // of that, what was let in here is known
    const left = Math.min(limit - taken + 1, limit - window.own)
    if (!window.isPartial) {
      // what is lost again and again would move its end on by small steps
      const ends = { endsAt: Math.min(window.endsAt, endsAt), latestEnd: Math.min(window.latestEnd, latestEnd) }
      Object.assign(window, { ...ends, left })
    }
    const leftHere = window.isPartial ? Math.min(left, leftOfPart(window, limit)) : left
    if (leftHere > 0) note(window)
    return tell(limit, leftHere, left > 0 ? window.endsAt : endsAt, leftHere > 0)
  }

  /** what was let in alone is told with the first question that is heard */
  async function ask(id: string, window: Window, points: 0 | 1): Promise<Heard | undefined> {
    const name = redis?.name('rate', hash('sha256', id, 'base64url'))
    const { owed } = window
    if (name === undefined || owed + points === 0) return undefined
    window.owed = 0
    const heard = readCount(await redis?.run(count, [name], [windowMs, owed + points]), windowMs)
    if (!heard) window.owed += owed
    return heard
  }

  async function take(id: string, limit: number): Promise<Allowance> {
    const known = windowOf(id, limit)
    // who is refused here anyway takes nothing from the others
    if (known.isPartial && leftOfPart(known, limit) === 0) {
      void ask(id, known, 0)
      return tell(limit, 0, known.endsAt, false)
    }
    const [askedAt, isAsked] = [steady(), redis?.state().up]
    const heard = await ask(id, known, 1)
    return heard ? takeHeard(id, limit, heard, askedAt) : takeAlone(id, limit, isAsked)
  }

  return {
    async take({ id, perMinute }) {
      const limit = perMinute ?? standard
      return limit === 0 ? undefined : take(id, limit)
    },
  }
}
