// Numbers as people read them.

const grouped = new Intl.NumberFormat('en')

/** `12,345` */
export const whole = (number: number): string => grouped.format(number)

/** `1 call`, `2 calls` */
export const counted = (number: number, one: string, more = `${one}s`): string =>
  `${whole(number)} ${number === 1 ? one : more}`

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

/** a part of all, as a whole number of hundredths: never 100 while one is missing, never 0 while there is one */
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
