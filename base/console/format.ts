// Numbers, and times in the time zone of the browser, as people read them.

const grouped = new Intl.NumberFormat('en')

/** `12,345` */
export const whole = (number: number): string => grouped.format(number)

/** `1 call`, `2 calls` */
export const counted = (number: number, one: string, more = `${one}s`): string =>
  `${whole(number)} ${number === 1 ? one : more}`

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

/** in percent: never 100 while one is missing, never 0 while there is one */
export function share(part: number, all: number): string {
  if (all === 0) return '0 %'
  const percent = Math.round((part / all) * 100)
  if (part > 0 && percent === 0) return '< 1 %'
  return part < all && percent === 100 ? '> 99 %' : `${percent} %`
}

/** `850 ms`, `1.2 s`, `2 min` */
export function duration(ms: number): string {
  if (ms < 10) return `${Math.round(ms * 10) / 10} ms`
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 9_950) return `${Math.round(ms / 100) / 10} s`
  return ms < 120_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`
}

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
export function relativeTime(ms: number): string {
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
export const exactTime = (iso: string): string => exact.format(new Date(iso))

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
