// X-Rate-Limit as the platform writes it: `user-hour-lim:3600;user-hour-rem:3582;`, in one header line or in several, with
// names that may be new. What is no `name:number` pair is passed over.

export interface Told {
  readonly limit: number
  readonly remaining: number
}

export interface Rates {
  readonly hour?: Told
  readonly minute?: Told
}

/** no limit of the platform is near it, and sums of such numbers stay exact */
const most = 1_000_000_000

function toldOf(pairs: ReadonlyMap<string, number>, window: string): Told | undefined {
  const [limit, remaining] = [pairs.get(`user-${window}-lim`), pairs.get(`user-${window}-rem`)]
  if (limit === undefined || remaining === undefined || limit === 0) return undefined
  return { limit, remaining: Math.min(remaining, limit) }
}

const longest = 1_024

/** how the platform writes it almost always */
const usual = /^user-hour-lim:(\d{1,9});user-hour-rem:(\d{1,9});$/

export function readRates(value: string | undefined): Rates {
  if (value === undefined || value.length > longest) return {}
  const [, hourLimit, hourRemaining] = usual.exec(value) ?? []
  const limit = Number(hourLimit)
  if (limit > 0) return { hour: { limit, remaining: Math.min(Number(hourRemaining), limit) } }
  const pairs = new Map<string, number>()
  for (const [, name = '', digits] of value.matchAll(/([\w-]+)\s*:\s*(\d{1,10})(?=\s*(?:[;,]|$))/g)) {
    const number = Number(digits)
    // said twice, the smaller one is the one to keep to
    if (number <= most) pairs.set(name.toLowerCase(), Math.min(number, pairs.get(name.toLowerCase()) ?? most))
  }
  const [hour, minute] = [toldOf(pairs, 'hour'), toldOf(pairs, 'minute')]
  return { ...(hour && { hour }), ...(minute && { minute }) }
}
