// Reads when a key expires: after a time, or at a date.
import { Complaint } from './complaint.ts'

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** no 31st of February, which would become a day in March */
const isDay = (day: string): boolean => {
  const ms = Date.parse(day)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}

/** epoch milliseconds, always ahead of `now` */
export function readMoment(text: string, now: number): number {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const isDate = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/.test(text) && isDay(text.slice(0, 10))
  const at = count === undefined ? (isDate ? Date.parse(text) : Number.NaN) : now + Number(count) * (unitMs[unit] ?? 0)
  if (Number.isNaN(at))
    throw new Complaint('--expires takes a time such as 90d, 12h or 30m, or a date such as 2027-01-31.')
  if (at <= now) throw new Complaint('--expires lies in the past.')
  return at
}
