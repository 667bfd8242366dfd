// Finds the fewest items of a plan with which a promise still breaks: halves first, then smaller parts, then single ones.

export async function shrink<T>(
  items: readonly T[],
  breaks: (some: readonly T[]) => Promise<boolean>,
  mostRuns = 400,
): Promise<readonly T[]> {
  let [kept, parts, runs] = [items, 2, 0]
  while (kept.length > 0 && runs < mostRuns) {
    const length = Math.ceil(kept.length / parts)
    let isSmaller = false
    for (let from = 0; from < kept.length && runs < mostRuns; from += length) {
      const rest = kept.filter((_, i) => i < from || i >= from + length)
      runs++
      if (!(await breaks(rest))) continue
      kept = rest
      isSmaller = true
      from -= length
    }
    if (length === 1 && !isSmaller) break
    if (!isSmaller) parts = Math.min(kept.length, parts * 2)
    else parts = Math.max(2, Math.min(kept.length, parts - 1))
  }
  return kept
}
