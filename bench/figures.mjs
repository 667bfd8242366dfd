// From rounds to the figures that are shown: medians, and the ratio of each pair of neighbouring rounds.

export function median(values) {
  // a figure that this machine does not give is in no round
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

function summarize({ rounds, ...rest }) {
  const of = (name) => median(rounds.map((round) => round[name]))
  const failures = rounds.reduce((sum, round) => sum + round.failures, 0)
  return {
    ...rest,
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
    mibPerSecond: of('mibPerSecond'),
    busy: of('busy'),
    othersBusy: of('othersBusy'),
    failures,
    rounds,
  }
}

/** how many times as many requests the first answers as the second, round by round */
function compare(first, second) {
  const pairs = first.rounds.map((round, i) => round.perSecond / second.rounds[i].perSecond)
  return {
    name: `${first.subject}/${second.subject}`,
    median: median(pairs),
    least: Math.min(...pairs),
    most: Math.max(...pairs),
  }
}

export function figuresOf({ results, ...work }) {
  const summaries = results.map(summarize)
  const [first, ...others] = summaries
  return { ...work, subjects: summaries, ratios: others.map((other) => compare(first, other)) }
}

export const failuresIn = (figures) =>
  figures.flatMap(({ subjects }) => subjects).reduce((sum, { failures }) => sum + failures, 0)
