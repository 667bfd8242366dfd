// Reads Retry-After strictly: seconds, an HTTP date, or epoch milliseconds, which another API of the same vendor sends.

const least = 1
const most = 3600

const httpDate =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/

export function readHttpDate(value: string | undefined): number | undefined {
  const ms = value !== undefined && httpDate.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

function secondsOf(value: string, nowMs: number): number | undefined {
  if (/^\d{1,10}$/.test(value)) return Number(value)
  if (/^\d{13}$/.test(value)) return (Number(value) - nowMs) / 1000
  // Date.parse would read "120" as a year
  const date = readHttpDate(value)
  if (date !== undefined) return (date - nowMs) / 1000
  // an absurd number of seconds: the longest wait that we report
  return /^\d+$/.test(value) ? most : undefined
}

/** whole seconds from 1 to 3,600; undefined where the header is absent or unreadable */
export function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const seconds = value === undefined ? undefined : secondsOf(value.trim(), nowMs)
  if (seconds === undefined || Number.isNaN(seconds)) return undefined
  return Math.min(most, Math.max(least, Math.ceil(seconds)))
}
