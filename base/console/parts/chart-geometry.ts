// What a chart is given, the scale of its values, and its marks as paths: stacked bars, and lines that break where values are
// missing.

/** one value per step of time; null: unknown */
export type StepValues = readonly (number | null)[]

export interface Series {
  readonly name: string
  readonly tone: string
  readonly values: StepValues
  /** shown beside its name while no step is pointed at */
  readonly rest: string
}

/** the steps of time that a chart shows */
export interface Steps {
  /** when each begins */
  readonly starts: readonly string[]
  readonly unit: string
  /** of one step, for its values */
  readonly nameOf: (iso: string) => string
  /** on the axis; undefined: none */
  readonly tickOf: (iso: string) => string | undefined
  readonly known: readonly boolean[]
}

export interface ChartProps {
  readonly title: string
  readonly summary: string
  readonly steps: Steps
  readonly kind: 'bars' | 'lines'
  readonly series: readonly Series[]
  readonly restName: string
  readonly format: (value: number) => string
}

export interface Scale {
  /** 0 at the foot, 1 at the top */
  readonly at: (value: number) => number
  readonly ticks: readonly number[]
}

/** the next of 1, 2 and 5 and their tenfolds */
function roundUp(value: number): number {
  const ten = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((step) => step * ten >= value) ?? 10) * ten
}

/** from 0 up to the highest, in whole steps: for counts */
export function evenScale(values: readonly number[]): Scale {
  const most = Math.max(1, ...values)
  const step = Math.max(1, roundUp(most / 3))
  const top = Math.ceil(most / step) * step
  const ticks = Array.from({ length: top / step + 1 }, (_, i) => i * step)
  return { at: (value) => value / top, ticks }
}

/** each tick is ten times the one below */
export function tenfoldScale(values: readonly number[]): Scale {
  const known = values.filter((value) => value > 0)
  const foot = Math.floor(Math.log10(Math.min(...known, 10)))
  const top = Math.max(foot + 1, Math.ceil(Math.log10(Math.max(...known, 10))))
  const ticks = Array.from({ length: top - foot + 1 }, (_, i) => 10 ** (foot + i))
  const at = (value: number) => Math.max(0, (Math.log10(Math.max(value, 10 ** foot)) - foot) / (top - foot))
  return { at, ticks }
}

export interface PlotArea {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export const middleOf = ({ left, width }: PlotArea, step: number, count: number): number =>
  left + ((step + 0.5) / count) * width

const letter = 6.5
const betweenTicks = 10

/** [position, name] of the ticks, without those that would overlap the one before */
export function ticksOf({ starts, tickOf }: Steps, area: PlotArea): [x: number, name: string][] {
  const ticks: [x: number, name: string][] = []
  for (const [i, iso] of starts.entries()) {
    const name = tickOf(iso)
    const x = middleOf(area, i, starts.length)
    const last = ticks.at(-1)
    if (name === undefined || (last && x - last[0] < name.length * letter + betweenTicks)) continue
    ticks.push([x, name])
  }
  return ticks
}

/** [first step, how many] of each run of steps of which nothing is known */
export function gapsOf(known: readonly boolean[]): [from: number, count: number][] {
  const gaps: [from: number, count: number][] = []
  for (const [i, isKnown] of known.entries()) {
    const last = gaps.at(-1)
    if (isKnown) continue
    if (last && last[0] + last[1] === i) last[1]++
    else gaps.push([i, 1])
  }
  return gaps
}

const px = (value: number): string => value.toFixed(1)

/** a path for each of `all`, the first at the foot */
export function stackedBars(all: readonly StepValues[], scale: Scale, area: PlotArea): string[] {
  const count = all[0]?.length ?? 0
  const wide = Math.max(1, (area.width / Math.max(1, count)) * 0.76)
  const sums: number[] = Array.from({ length: count }, () => 0)
  const y = (value: number) => area.top + area.height * (1 - scale.at(value))
  return all.map((values) =>
    values
      .map((value, i) => {
        if (!value) return ''
        const from = sums[i] ?? 0
        sums[i] = from + value
        // one among thousands can still be seen
        const height = Math.max(1, y(from) - y(from + value))
        return `M${px(middleOf(area, i, count) - wide / 2)} ${px(y(from))}v${px(-height)}h${px(wide)}v${px(height)}z`
      })
      .join(''),
  )
}

const isKnown = (values: StepValues, i: number): boolean => (values[i] ?? null) !== null

export function brokenLine(values: StepValues, scale: Scale, area: PlotArea): string {
  const y = (value: number) => px(area.top + area.height * (1 - scale.at(value)))
  return values
    .map((value, i) => {
      if (value === null) return ''
      const point = `${px(middleOf(area, i, values.length))} ${y(value)}`
      return isKnown(values, i - 1) ? `L${point}` : `M${point}`
    })
    .join('')
}

/** known steps between unknown ones: no line goes through them */
export function loneDots(values: StepValues, scale: Scale, area: PlotArea): string {
  const lone = values.map((value, i) => (isKnown(values, i - 1) || isKnown(values, i + 1) ? null : value))
  return brokenLine(lone, scale, area).replaceAll(/M([^M]+)/g, 'M$1h0')
}
