// The marks of a chart as paths: bars that stand on each other, and lines that break where nothing is known.
import type { Scale } from './scale.ts'

export type Values = readonly (number | null)[]

/** the room for marks, in pixels */
export interface Room {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** the middle of a minute */
export const middleOf = ({ left, width }: Room, i: number, count: number): number => left + ((i + 0.5) / count) * width

const round = (px: number): string => px.toFixed(1)

/** a path for each of `all`, the first at the foot */
export function stackedBars(all: readonly Values[], scale: Scale, room: Room): string[] {
  const count = all[0]?.length ?? 0
  const wide = Math.max(1, (room.width / Math.max(1, count)) * 0.76)
  const sums: number[] = Array.from({ length: count }, () => 0)
  const y = (value: number) => room.top + room.height * (1 - scale.at(value))
  return all.map((values) =>
    values
      .map((value, i) => {
        if (!value) return ''
        const from = sums[i] ?? 0
        sums[i] = from + value
        // one among thousands is still seen
        const height = Math.max(1, y(from) - y(from + value))
        return `M${round(middleOf(room, i, count) - wide / 2)} ${round(y(from))}v${round(-height)}h${round(wide)}v${round(height)}z`
      })
      .join(''),
  )
}

const isKnown = (values: Values, i: number): boolean => (values[i] ?? null) !== null

export function brokenLine(values: Values, scale: Scale, room: Room): string {
  const y = (value: number) => round(room.top + room.height * (1 - scale.at(value)))
  return values
    .map((value, i) => {
      if (value === null) return ''
      const point = `${round(middleOf(room, i, values.length))} ${y(value)}`
      return isKnown(values, i - 1) ? `L${point}` : `M${point}`
    })
    .join('')
}

/** minutes between two that say nothing: no line goes through them */
export function loneDots(values: Values, scale: Scale, room: Room): string {
  const lone = values.map((value, i) => (isKnown(values, i - 1) || isKnown(values, i + 1) ? null : value))
  return brokenLine(lone, scale, room).replaceAll(/M([^M]+)/g, 'M$1h0')
}
