// Who sends one bad key after the other from one network is turned away before the store is asked. A key that was good
// lately is still looked at, wherever it comes from: neighbours of an attacker keep their service.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Key } from '../keys/keys.ts'
import { Problem } from '../problem.ts'
import { createLockOut, type LockOut } from './lock-out.ts'

const mostGood = 10_000

export interface Knocking {
  readonly authorization: string | undefined
  /** the caller's address */
  readonly from: string
}

export interface BadKeys {
  /** what `authenticate` says of the key, or 429 where it is not asked */
  hear(knocking: Knocking, authenticate: () => Promise<Key>): Promise<Key>
}

export interface BadKeysOptions {
  /** failures a minute from one neighbourhood; 0: no limit */
  readonly most: number
  /** each of several has its part of it */
  readonly replicas?: (() => number) | undefined
  /** milliseconds of a clock that nobody sets */
  readonly steady?: (() => number) | undefined
  /** who counts, where that is done elsewhere */
  readonly lockOut?: Pick<LockOut, 'waitOf' | 'failed'> | undefined
}

/** of the key alone: one key in many spellings of its field is one key */
const digestOf = (authorization: string): string => hash('sha256', authorization.replace(/^bearer +/i, ''), 'base64')

export function createBadKeys(options: BadKeysOptions): BadKeys {
  const { most, replicas = () => 1, steady = () => performance.now() } = options
  const { lockOut = createLockOut({ now: steady, mostFailures: most, replicas }) } = options
  /** decides who is looked at, and never who is let in */
  const good = new LRUCache<string, true>({ max: mostGood })

  async function judge(authorization: string, from: string, authenticate: () => Promise<Key>): Promise<Key> {
    const retryAfterSec = lockOut.waitOf(from)
    const digest = digestOf(authorization)
    if (retryAfterSec > 0 && !good.has(digest)) throw new Problem('too_many_failures', { retryAfterSec })
    try {
      const key = await authenticate()
      good.set(digest, true)
      return key
    } catch (error) {
      if (error instanceof Problem && error.code === 'key_invalid') {
        good.delete(digest)
        lockOut.failed(from)
      }
      throw error
    }
  }

  return {
    // who brings no key guesses nothing, and costs the store nothing
    hear: ({ authorization, from }, authenticate) =>
      most === 0 || authorization === undefined ? authenticate() : judge(authorization, from, authenticate),
  }
}
