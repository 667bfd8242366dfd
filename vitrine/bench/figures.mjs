// From rounds to the figures that are shown: medians, the ratio of each pair of neighbouring rounds, and what they are held to.

export function median(values) {
  // a figure that this machine does not give is in no round
  const sorted = values.filter((value) => Number.isFinite(value)).sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** the medians of what each round tells */
export function summarize({ rounds, ...rest }) {
  const names = Object.keys(rounds[0]).filter((name) => typeof rounds[0][name] === 'number')
  const medians = Object.fromEntries(names.map((name) => [name, median(rounds.map((round) => round[name]))]))
  return { ...rest, ...medians, failures: rounds.reduce((all, { failures = 0 }) => all + failures, 0), rounds }
}

export const spread = (all) => ({ median: median(all), least: Math.min(...all), most: Math.max(...all), all })

/** how many times the second's figure the first's is, round by round */
export const ratio = (first, second, of = 'perSecond') =>
  spread(first.rounds.map((round, i) => round[of] / second.rounds[i][of]))

/** how many times as much processor time of the subject the second takes for an answer as the first: hardly moved by others */
export const thrift = (first, second) => ratio(second, first, 'ownMs')

const held = (isMet) => (row) => ({ ...row, isMet: Number.isFinite(row.measured.median) && isMet(row) })
/** a goal: { what, bound, measured: { median, least, most } } and, to explain it, { aside, unit } */
export const atLeast = held(({ bound, measured }) => measured.median >= bound)
export const atMost = held(({ bound, measured }) => measured.median <= bound)
export const least = (row) => ({ ...atLeast(row), sign: '≥' })
export const most = (row) => ({ ...atMost(row), sign: '≤' })

/** a goal that could not be measured here, and why */
export const unjudged = (row, why) => ({ ...row, why })

export const single = (value) => spread([value])
