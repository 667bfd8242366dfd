// Moments as people read them, by their own clock.

export const dayMs = 86_400_000

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
const steps = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30.44],
  ['month', 12],
  ['year', Number.POSITIVE_INFINITY],
] as const

/** `2 min. ago`, `in 3 days` */
export function distance(ms: number): string {
  let amount = ms / 1_000
  if (Math.abs(amount) < 5) return 'now'
  for (const [unit, most] of steps) {
    if (Math.abs(Math.round(amount)) < most) return words.format(Math.round(amount), unit)
    amount /= most
  }
  return ''
}

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
/** `3 Mar 2027, 14:03:12` */
export const wholeMoment = (iso: string): string => exact.format(new Date(iso))

const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
/** `14:03:12` */
export const timeOfDay = (iso: string): string => time.format(new Date(iso))

const minute = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' })
/** `14:03` */
export const minuteOfDay = (iso: string): string => minute.format(new Date(iso))

const longDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' })
/** `3 March 2027` */
export const dayOf = (iso: string): string => longDay.format(new Date(iso))

const dayAndMinute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
/** `3 Mar 2027, 14:03` */
export const minuteOf = (ms: number): string => dayAndMinute.format(ms)
