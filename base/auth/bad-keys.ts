// Checks keys of callers, and locks networks out that send wrong ones. A recently valid key is still checked, so that an attacker
// cannot lock out neighbours in the same network.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { steadyMs } from '../core/abort.ts'
import { networkOf } from '../core/network.ts'
import { Problem } from '../core/problem.ts'
import { createLockOut } from './rate-limits.ts'

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

const leastAtOnce = 20

/** A failure counts when its look-up is over. Without a bound, a network has thousands under way before it is locked out. */
function createLookUps(most: number) {
  const networks = new Map<string, { inside: number; readonly waiting: (() => void)[] }>()
  return async <T>(from: string, isExempt: () => boolean, act: (hasWaited: boolean) => Promise<T>): Promise<T> => {
    const name = networkOf(from)
    const network = networks.get(name) ?? { inside: 0, waiting: [] }
    networks.set(name, network)
    const mustWait = network.inside >= most && !isExempt()
    if (mustWait) await new Promise<void>((ok) => network.waiting.push(ok))
    else network.inside++
    try {
      return await act(mustWait)
    } finally {
      // the place of an exempt one beyond the bound goes
      const next = network.inside > most ? undefined : network.waiting.shift()
      if (next) next()
      else if (--network.inside === 0) networks.delete(name)
    }
  }
}

/** of the key alone: the field can be spelled in many ways */
const digestOf = (authorization: string): string => hash('sha256', authorization.replace(/^bearer +/i, ''), 'base64')

export function createBadKeys(options: BadKeysOptions): BadKeys {
  const { most, replicas = () => 1, steady = steadyMs } = options
  const lockOut = createLockOut({ now: steady, mostFailures: most, replicas })
  /** decides which keys are checked, never which are valid */
  const good = new LRUCache<string, true>({ max: mostGood })
  const notedAt = new WeakMap<object, number>()
  const lookUp = createLookUps(Math.max(leastAtOnce, most))

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
    return lookUp(
      from,
      () => good.has(digestOf(authorization)),
      async (hasWaited) => {
        if (hasWaited) refuseLockedOut(authorization, from)
        return judge(authorization, from, authenticate)
      },
    )
  }

  return {
    // a missing key is not a guess, and costs no store read
    authenticate: ({ authorization, from }, authenticate) =>
      most === 0 || authorization === undefined ? authenticate() : checkKey(authorization, from, authenticate),
  }
}
