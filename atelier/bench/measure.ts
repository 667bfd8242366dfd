// Times ways of doing the same work in turns, so that what else the machine does meets each of them alike.

export type Ways = Readonly<Record<string, () => Promise<unknown>>>

export const medianOf = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2
}

/** What a way answers, if it is a function, runs after the clock has stopped. The first round is not counted. */
export async function timeWays(rounds: number, ways: Ways): Promise<Record<string, number>> {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(ways).map((name) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    const entries = Object.entries(ways)
    for (const [name, work] of round % 2 === 0 ? entries : entries.toReversed()) {
      const begun = performance.now()
      const after = await work()
      if (round > 0) times[name]?.push(performance.now() - begun)
      if (typeof after === 'function') await (after as () => Promise<unknown>)()
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, medianOf(values)]))
}
