// Each key's own rate: so many requests a minute, counted in this process.
import type { RateLimiterRes } from 'rate-limiter-flexible'
// the whole package would load a driver for each of two dozen databases
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'

export interface Allowance {
  readonly limit: number
  readonly remaining: number
  readonly resetSec: number
  readonly windowSec: number
  readonly allowed: boolean
}

export interface Rates {
  /** counts one request; undefined where nothing limits this key */
  take(key: { id: string; perMinute: number | null }): Promise<Allowance | undefined>
}

const windowSec = 60
const unlimited = Promise.resolve(undefined)

/** `standard`: for keys without a rate of their own; 0: none */
export function createRates(standard: number): Rates {
  const limiters = new Map<number, RateLimiterMemory>()
  const limiterOf = (points: number): RateLimiterMemory => {
    const limiter = limiters.get(points) ?? new RateLimiterMemory({ points, duration: windowSec })
    limiters.set(points, limiter)
    return limiter
  }

  async function count(id: string, limit: number): Promise<Allowance> {
    let allowed = true
    const state = await limiterOf(limit)
      .consume(id)
      .catch((over: RateLimiterRes) => {
        allowed = false
        return over
      })
    // counted by the wall clock, and ended by a timer: set back, the clock would put the end hours away
    const resetSec = Math.min(windowSec, Math.max(1, Math.ceil(state.msBeforeNext / 1000)))
    return { limit, remaining: state.remainingPoints, resetSec, windowSec, allowed }
  }

  return {
    take({ id, perMinute }) {
      const limit = perMinute ?? standard
      return limit === 0 ? unlimited : count(id, limit)
    },
  }
}
