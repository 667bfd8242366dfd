// Counts failures by name (an address, an e-mail) in windows, and says how long a name that failed too often must wait.
import { isIPv4 } from 'node:net'
import { LRUCache } from 'lru-cache'
import { networkOf } from '../../../base/core/network.ts'

const mostNames = 50_000

export interface FailureLimit {
  /** seconds; 0: it may try */
  waitOf(name: string): number
  /** the returned function takes it back */
  failed(name: string): () => void
}

export interface FailureLimitOptions {
  /** 0: no limit */
  readonly most: number
  readonly windowMs: number
  readonly now: () => number
}

export function createFailureLimit({ most, windowMs, now }: FailureLimitOptions): FailureLimit {
  const counts = new LRUCache<string, { count: number; readonly endsAt: number }>({ max: mostNames })
  function current(name: string) {
    const found = counts.get(name)
    const leftMs = found ? found.endsAt - now() : 0
    // more than one window can remain only if the clock was set back
    return leftMs > 0 && leftMs <= windowMs ? found : undefined
  }
  return {
    waitOf(name) {
      const found = current(name)
      return most > 0 && found && found.count >= most ? Math.ceil((found.endsAt - now()) / 1_000) : 0
    },
    failed(name) {
      const found = current(name) ?? { count: 0, endsAt: now() + windowMs }
      found.count++
      counts.set(name, found)
      return () => void found.count--
    },
  }
}

/** an IPv6 caller has a whole network of addresses */
export const sourceOf = (address: string): string => (isIPv4(address) ? address : networkOf(address))
