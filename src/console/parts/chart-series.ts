// What is told to a chart: the minutes, and for each series its name, its colour and a value a minute.
import type { Values } from './chart-marks.ts'

export interface Series {
  readonly name: string
  /** the class that gives it its colour */
  readonly tone: string
  readonly values: Values
  /** what stands beside its name while no minute is pointed at */
  readonly rest: string
}

export interface ChartProps {
  readonly title: string
  /** what it shows, in a sentence with its sums */
  readonly says: string
  readonly minutes: readonly string[]
  readonly kind: 'bars' | 'lines'
  readonly series: readonly Series[]
  /** of what `rest` is */
  readonly restName: string
  readonly wordOf: (value: number) => string
}
