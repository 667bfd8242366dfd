// Times as people write them, and as answers show them.
import { isDay } from './day.ts'
import { Problem } from './problem.ts'

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

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

export function readSpan(param: string, text: string): number {
  const ms = text === '0' ? 0 : spanOf(text)
  if (ms === undefined) throw wrong(param, 'must be a time such as 24h, 30m or 7d, or 0 for at once.')
  return ms
}

export function readMoment(param: string, text: string, now: number): number {
  const span = spanOf(text)
  const at = span === undefined ? dateOf(text) : now + span
  if (at === undefined)
    throw wrong(param, 'must be a time such as 90d, 12h or 30m, or a date such as 2027-01-31 or 2027-01-31T12:00Z.')
  if (at <= now) throw wrong(param, 'lies in the past.')
  return at
}

export function readTimeOf(text: string, now: number): number | undefined {
  const span = spanOf(text)
  return span === undefined ? dateOf(text) : now - span
}

const latest = 8.64e15

/** Null also for a number outside of the range of dates: an edited row must not break a list. */
export const isoOf = <Ms extends number | null>(ms: Ms): string | (Ms & null) =>
  ms === null || !(Math.abs(ms) <= latest) ? (null as Ms & null) : new Date(ms).toISOString()
