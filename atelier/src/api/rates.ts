// Requests of a key: a bucket that fills by `perSecond` and holds `burst`.
import { LRUCache } from 'lru-cache'
import { Problem } from '../problems.ts'

const mostKeys = 50_000

export interface RateOptions {
  /** 0: no limit */
  readonly perSecond: number
  readonly burst: number
  readonly steady?: () => number
}

/** throws `rate_limited` with the time until the next request is allowed */
export function createRate({ perSecond, burst, steady = () => performance.now() }: RateOptions): (key: string) => void {
  const buckets = new LRUCache<string, { left: number; at: number }>({ max: mostKeys })
  const most = Math.max(1, burst)
  return (key) => {
    if (perSecond === 0) return
    const now = steady()
    const { left, at } = buckets.get(key) ?? { left: most, at: now }
    const filled = Math.min(most, left + ((now - at) / 1_000) * perSecond)
    const isAllowed = filled >= 1
    buckets.set(key, { left: isAllowed ? filled - 1 : filled, at: now })
    if (!isAllowed)
      throw new Problem('rate_limited', { retryAfterSec: Math.max(1, Math.ceil((1 - filled) / perSecond)) })
  }
}
