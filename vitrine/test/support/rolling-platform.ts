// A correct model of the platform's quota: rolling windows, counted when a call arrives.
import type { Rates } from '../../src/platform/schedule/rate-header.ts'

export interface RollingPlatform {
  /** one call arrives; a 429 beyond the quota */
  arrive(): { readonly rates: Rates; readonly isRefusal: boolean }
  /** other programs use this many calls */
  take(count: number): void
  rates(): Rates
  left(): number
  /** unlimited where no minute is limited */
  leftInMinute(): number
  readonly taken: () => number
  /** calls beyond the quota */
  readonly over: () => number
}

export interface RollingOptions {
  readonly limit: number
  readonly hourMs?: number
  readonly perMinute?: number
  readonly clock?: () => number
}

export function createRollingPlatform(options: RollingOptions): RollingPlatform {
  const { limit, hourMs = 3_600_000, perMinute, clock = () => performance.now() } = options
  let calls: number[] = []
  let [taken, over] = [0, 0]
  const since = (ms: number): number => calls.filter((at) => at > clock() - ms).length
  const leftOf = (most: number, ms: number) => ({ limit: most, remaining: Math.max(0, most - since(ms)) })
  const rates = (): Rates => ({
    hour: leftOf(limit, hourMs),
    ...(perMinute !== undefined && { minute: leftOf(perMinute, hourMs / 60) }),
  })
  const isFull = (): boolean => Object.values(rates()).some(({ remaining }) => remaining < 1)
  const forget = () => (calls = calls.filter((at) => at > clock() - hourMs))
  return {
    arrive() {
      forget()
      const isRefusal = isFull()
      if (isRefusal) over++
      else {
        calls.push(clock())
        taken++
      }
      return { rates: rates(), isRefusal }
    },
    take(count) {
      for (let i = 0; i < count; i++) calls.push(clock())
    },
    rates,
    left: () => rates().hour?.remaining ?? 0,
    leftInMinute: () => rates().minute?.remaining ?? Number.POSITIVE_INFINITY,
    taken: () => taken,
    over: () => over,
  }
}
