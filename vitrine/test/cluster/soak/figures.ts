// Decides from samples whether a figure grows once the process is warm. A line is fitted to the medians of whole minutes; the
// confidence of its slope follows from their distance from it (Student's t, 95 %).
import type { Measure, Sample } from './sampler.ts'

export interface Figures {
  readonly replica: string
  readonly measure: Measure
  readonly least: number
  readonly median: number
  readonly most: number
  /** medians of the first and of the last quarter of the time after the warm-up */
  readonly first: number
  readonly last: number
  readonly slopePerMin: number
  /** the 95 % confidence interval of the slope, to either side */
  readonly withinPerMin: number
  readonly verdict: 'flat' | 'grows' | 'too short'
}

/** growth below this part of the median in an hour would matter only after days, and is ignored */
const negligiblePerHour = 0.02
/** two-sided 95 %, by degrees of freedom */
const students = [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11]
const studentOf = (freedom: number): number => students[freedom - 1] ?? (freedom < 25 ? 2.09 : 2.04)

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0)

/** the slope and its confidence interval */
export function fit(points: readonly (readonly [x: number, y: number])[]): { slope: number; within: number } {
  const n = points.length
  const [meanX, meanY] = [sum(points.map(([x]) => x)) / n, sum(points.map(([, y]) => y)) / n]
  const spread = sum(points.map(([x]) => (x - meanX) ** 2))
  const slope = sum(points.map(([x, y]) => (x - meanX) * (y - meanY))) / spread
  const rest = sum(points.map(([x, y]) => (y - meanY - slope * (x - meanX)) ** 2))
  return { slope, within: studentOf(n - 2) * Math.sqrt(rest / (n - 2) / spread) }
}

export function figuresOf(samples: readonly Sample[], measure: Measure, replica: string, warmSec: number): Figures {
  const points = samples.flatMap(({ replica: of, at, values: { [measure]: value } }) =>
    of === replica && at >= warmSec && value !== undefined ? [{ at, value }] : [],
  )
  const values = points.map(({ value }) => value)
  const [from, to] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0]
  const between = (begin: number, end: number) =>
    median(points.flatMap(({ at, value }) => (at >= begin && at <= end ? [value] : [])))
  const quarter = (to - from) / 4
  const minutes = Map.groupBy(points, ({ at }) => Math.floor(at / 60))
  const medians = [...minutes].map(([minute, some]) => [minute, median(some.map(({ value }) => value))] as const)
  const { slope, within } = medians.length > 3 ? fit(medians) : { slope: Number.NaN, within: Number.NaN }
  const grows = slope - within > 0 && slope * 60 > median(values) * negligiblePerHour
  return {
    replica,
    measure,
    median: median(values),
    least: Math.min(...values),
    most: Math.max(...values),
    first: between(from, from + quarter),
    last: between(to - quarter, to),
    slopePerMin: slope,
    withinPerMin: within,
    verdict: Number.isNaN(slope) ? 'too short' : grows ? 'grows' : 'flat',
  }
}
