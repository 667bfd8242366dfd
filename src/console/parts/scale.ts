// Where a value stands on an axis, and at which values its few quiet lines are drawn.

export interface Scale {
  /** 0 at the foot, 1 at the top */
  readonly at: (value: number) => number
  readonly ticks: readonly number[]
}

/** 1, 2 or 5 and zeros behind: the next from here */
function roundUp(value: number): number {
  const ten = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((step) => step * ten >= value) ?? 10) * ten
}

/** from nothing up to the highest: whole steps, since what is counted is whole */
export function evenScale(values: readonly number[]): Scale {
  const most = Math.max(1, ...values)
  const step = Math.max(1, roundUp(most / 3))
  const top = Math.ceil(most / step) * step
  const ticks = Array.from({ length: top / step + 1 }, (_, i) => i * step)
  return { at: (value) => value / top, ticks }
}

/** each line is ten times the one below */
export function tenfoldScale(values: readonly number[]): Scale {
  const known = values.filter((value) => value > 0)
  const foot = Math.floor(Math.log10(Math.min(...known, 10)))
  const top = Math.max(foot + 1, Math.ceil(Math.log10(Math.max(...known, 10))))
  const ticks = Array.from({ length: top - foot + 1 }, (_, i) => 10 ** (foot + i))
  const at = (value: number) => Math.max(0, (Math.log10(Math.max(value, 10 ** foot)) - foot) / (top - foot))
  return { at, ticks }
}
