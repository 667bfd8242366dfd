// Reads X-Rate-Limit as the platform writes it: `user-hour-lim:3600;user-hour-rem:3582;`, in one header or several. Unknown names
// and other text are ignored.
import type { QuotaWindow } from '../port.ts'

export interface Rates {
  readonly hour?: QuotaWindow
  readonly minute?: QuotaWindow
}

/** far above any limit of the platform, and small enough that sums stay exact */
const most = 1_000_000_000

function windowIn(pairs: ReadonlyMap<string, number>, window: string): QuotaWindow | undefined {
  const [limit, remaining] = [pairs.get(`user-${window}-lim`), pairs.get(`user-${window}-rem`)]
  if (limit === undefined || remaining === undefined || limit === 0) return undefined
  return { limit, remaining: Math.min(remaining, limit) }
}

const longest = 1_024
const usual = /^user-hour-lim:(\d{1,9});user-hour-rem:(\d{1,9});$/

export function readRates(value: string | undefined): Rates {
  if (value === undefined || value.length > longest) return {}
  const [, hourLimit, hourRemaining] = usual.exec(value) ?? []
  const limit = Number(hourLimit)
  if (limit > 0) return { hour: { limit, remaining: Math.min(Number(hourRemaining), limit) } }
  const pairs = new Map<string, number>()
  for (const [, name = '', digits] of value.matchAll(/([\w-]+)\s*:\s*(\d{1,10})(?=\s*(?:[;,]|$))/g)) {
    const number = Number(digits)
    // of two values, the smaller one counts
    if (number <= most) pairs.set(name.toLowerCase(), Math.min(number, pairs.get(name.toLowerCase()) ?? most))
  }
  const [hour, minute] = [windowIn(pairs, 'hour'), windowIn(pairs, 'minute')]
  return { ...(hour && { hour }), ...(minute && { minute }) }
}
