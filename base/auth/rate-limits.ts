// Limits by who asks. Each key has its own rate: so many requests in a window, counted in this process. Networks that fail repeatedly
// are locked out; addresses of one network count together, since an attacker has many. A recently valid key is still checked, so
// that an attacker cannot lock out neighbours in the same network.
import { steadyMs } from '../core/abort.ts'
import { networkOf } from '../core/network.ts'
import { LRUCache } from 'lru-cache'
import { hash } from 'node:crypto'
import { Problem } from '../core/problem.ts'
import { createNetworkTurns } from './network-turns.ts'

export interface KeyAllowance {
  readonly limit: number
  readonly remaining: number
  readonly resetSec: number
  readonly windowSec: number
  readonly allowed: boolean
}

/** `perMinute`: the limit in a window, which is a minute unless it is made longer */
export interface RatedKey {
  readonly id: string
  readonly perMinute: number | null
}

export interface KeyRates {
  take(key: RatedKey): Promise<KeyAllowance | undefined>
  /** what is left, without taking any of it */
  look(key: RatedKey): Promise<KeyAllowance | undefined>
}

const minuteMs = 60_000
const unlimited = Promise.resolve(undefined)

export function createWindows<W extends { readonly endsAt: number }>(
  steady: () => number,
  begin: (now: number, limit: number) => W,
): { readonly of: (id: string, limit: number) => W; readonly known: (id: string) => W | undefined } {
  const windows = new Map<string, W>()
  let sweepAt = 1_000
  const known = (id: string): W | undefined => {
    const found = windows.get(id)
    return found && steady() < found.endsAt ? found : undefined
  }
  const of = (id: string, limit: number): W => {
    const now = steady()
    const found = known(id)
    if (found) return found
    const begun = begin(now, limit)
    windows.set(id, begun)
    if (windows.size >= sweepAt) {
      for (const [one, { endsAt }] of windows) if (endsAt <= now) windows.delete(one)
      sweepAt = Math.max(1_000, 2 * windows.size)
    }
    return begun
  }
  return { of, known }
}

export const resetSecOf = (leftMs: number, windowMs: number): number =>
  Math.min(windowMs / 1_000, Math.max(1, Math.ceil(leftMs / 1_000)))

export function createRates(standard: number, steady = steadyMs, windowMs = minuteMs): KeyRates {
  const windows = createWindows(steady, (now) => ({ endsAt: now + windowMs, taken: 0 }))

  const allowanceOf = (limit: number, taken: number, leftMs: number): KeyAllowance => ({
    limit,
    remaining: Math.max(0, limit - taken),
    resetSec: resetSecOf(leftMs, windowMs),
    windowSec: windowMs / 1_000,
    allowed: taken <= limit,
  })

  async function count(id: string, limit: number): Promise<KeyAllowance> {
    const window = windows.of(id, limit)
    return allowanceOf(limit, ++window.taken, window.endsAt - steady())
  }

  async function show(id: string, limit: number): Promise<KeyAllowance> {
    const window = windows.known(id)
    return allowanceOf(limit, window?.taken ?? 0, window ? window.endsAt - steady() : windowMs)
  }

  const withLimit =
    (act: typeof count) =>
    ({ id, perMinute }: RatedKey) => {
      const limit = perMinute ?? standard
      return limit === 0 ? unlimited : act(id, limit)
    }
  return { take: withLimit(count), look: withLimit(show) }
}

interface Failures {
  count: number
  endsAt: number
  lockedOut: boolean
  told: boolean
}

export interface LockOut {
  waitOf(address: string): number
  failed(address: string): void
  /** A missing token is not a guess: no lock-out, and only the first N of a minute are logged. */
  isAmongFirst(address: string): boolean
  tell(address: string): boolean
}

export interface LockOutOptions {
  readonly now: () => number
  readonly mostFailures?: number
  /** the limit is divided among replicas, since an attacker may come to each */
  readonly replicas?: () => number
  readonly windowMs?: number
  readonly mostKept?: number
}

export function createLockOut(options: LockOutOptions): LockOut {
  const { now, mostFailures = 10, replicas = () => 1, windowMs = 60_000, mostKept = 50_000 } = options
  const kept = new LRUCache<string, Failures>({ maxSize: mostKept, sizeCalculation: () => 1 })
  /** no kept network is locked out after this: saves nearly every lookup */
  let quietFrom = Number.NEGATIVE_INFINITY
  const last = (endsAt: number): number => {
    quietFrom = Math.max(quietFrom, endsAt)
    return endsAt
  }

  function current(name: string): Failures | undefined {
    const found = kept.peek(name)
    const left = found ? found.endsAt - now() : 0
    // more than a window is left only if the clock was set back
    return left > 0 && left <= windowMs ? found : undefined
  }

  function count(name: string): Failures {
    const found = current(name) ?? { count: 0, endsAt: last(now() + windowMs), lockedOut: false, told: false }
    found.count++
    kept.set(name, found)
    return found
  }

  return {
    waitOf(address) {
      if (now() >= quietFrom) return 0
      const found = current(networkOf(address))
      return found?.lockedOut ? Math.ceil((found.endsAt - now()) / 1_000) : 0
    },

    failed(address) {
      const found = count(networkOf(address))
      if (found.lockedOut || found.count < Math.max(1, Math.floor(mostFailures / replicas()))) return
      found.lockedOut = true
      found.endsAt = last(now() + windowMs)
    },

    isAmongFirst: (address) => count(`without ${networkOf(address)}`).count <= mostFailures,

    tell(address) {
      const found = current(networkOf(address))
      if (!found || found.told) return false
      return (found.told = true)
    },
  }
}

const mostGood = 10_000
/** how often a key in use is noted as good: the digest takes longer than all else here */
const goodEveryMs = 1_000

export interface Attempt {
  readonly authorization: string | undefined
  readonly from: string
}

export interface BadKeys {
  /** calls `authenticate`, which resolves to one object per key, unless the network of the attempt is locked out */
  authenticate<Key extends object>(attempt: Attempt, authenticate: () => Promise<Key>): Promise<Key>
}

export interface BadKeysOptions {
  readonly most: number
  readonly replicas?: (() => number) | undefined
  readonly steady?: (() => number) | undefined
}

/** so many look-ups of all networks take no turns: a calm service has no more */
const leastAtOnce = 20

/** of the key alone: the field can be spelled in many ways */
const digestOf = (authorization: string): string => hash('sha256', authorization.replace(/^bearer +/i, ''), 'base64')

export function createBadKeys(options: BadKeysOptions): BadKeys {
  const { most, replicas = () => 1, steady = steadyMs } = options
  const lockOut = createLockOut({ now: steady, mostFailures: most, replicas })
  /** decides which keys are checked, never which are valid */
  const good = new LRUCache<string, true>({ max: mostGood })
  const notedAt = new WeakMap<object, number>()
  const mostAtOnce = Math.max(leastAtOnce, most)
  const inTurn = createNetworkTurns(mostAtOnce)
  let inAll = 0

  function refuseLockedOut(authorization: string, from: string) {
    const retryAfterSec = lockOut.waitOf(from)
    if (retryAfterSec > 0 && !good.has(digestOf(authorization)))
      throw new Problem('too_many_failures', { retryAfterSec })
  }

  function note(key: object, authorization: string) {
    const now = steady()
    if (now - (notedAt.get(key) ?? Number.NEGATIVE_INFINITY) < goodEveryMs) return
    notedAt.set(key, now)
    good.set(digestOf(authorization), true)
  }

  /** counts a failure before the next look-up of the network begins */
  async function judge<Key extends object>(
    authorization: string,
    from: string,
    authenticate: () => Promise<Key>,
  ): Promise<Key> {
    try {
      const key = await authenticate()
      note(key, authorization)
      return key
    } catch (error) {
      if (error instanceof Problem && error.code === 'key_invalid') {
        good.delete(digestOf(authorization))
        lockOut.failed(from)
      }
      throw error
    }
  }

  async function checkKey<Key extends object>(
    authorization: string,
    from: string,
    authenticate: () => Promise<Key>,
  ): Promise<Key> {
    refuseLockedOut(authorization, from)
    const isCalm = inAll++ < mostAtOnce
    const act = async (hasWaited: boolean) => {
      if (hasWaited) refuseLockedOut(authorization, from)
      return judge(authorization, from, authenticate)
    }
    try {
      return await (isCalm ? act(false) : inTurn(from, () => good.has(digestOf(authorization)), act))
    } finally {
      inAll--
    }
  }

  return {
    // a missing key is not a guess, and costs no store read
    authenticate: ({ authorization, from }, authenticate) =>
      most === 0 || authorization === undefined ? authenticate() : checkKey(authorization, from, authenticate),
  }
}
