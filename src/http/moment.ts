// Times as people write them, read for the operator's door and the command line; and as answers show them.
import { isDay } from '../day.ts'
import { Problem } from '../problem.ts'

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `readSpan` takes what matches it */
export const spanForm = '^(0|\\d{1,6}[mhd])$'

const wrong = (param: string, message: string): Problem => new Problem('member_invalid', { param, message })

function spanOf(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (unitMs[unit] ?? 0)
}

function dateOf(text: string): number | undefined {
  const isDate = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)
  const ms = isDate && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

/** a length of time in milliseconds; `0` is none */
export function readSpan(param: string, text: string): number {
  const ms = text === '0' ? 0 : spanOf(text)
  if (ms === undefined) throw wrong(param, 'must be a time such as 24h, 30m or 7d, or 0 for at once.')
  return ms
}

/** epoch milliseconds, always ahead of `now` */
export function readMoment(param: string, text: string, now: number): number {
  const span = spanOf(text)
  const at = span === undefined ? dateOf(text) : now + span
  if (at === undefined)
    throw wrong(param, 'must be a time such as 90d, 12h or 30m, or a date such as 2027-01-31 or 2027-01-31T12:00Z.')
  if (at <= now) throw wrong(param, 'lies in the past.')
  return at
}

/** epoch milliseconds of a date, or of a time such as `24h`, which means ago; undefined where it is neither */
export function readTimeOf(text: string, now: number): number | undefined {
  const span = spanOf(text)
  return span === undefined ? dateOf(text) : now - span
}

/** the last moment that a date can be */
const latest = 8.64e15

/** null too where it is no moment: a number in a store may have been edited, and shall not take a list down */
export const isoOf = (ms: number | null): string | null =>
  ms === null || !(Math.abs(ms) <= latest) ? null : new Date(ms).toISOString()
