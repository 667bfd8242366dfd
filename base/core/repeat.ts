// Repeats an act, never twice at the same time.

/** Returns what ends it. A failure was reported where it happened; the next round tries again. */
export function repeat(act: () => Promise<void>, everyMs: number): () => void {
  let isUnderWay = false
  const timer = setInterval(() => {
    if (isUnderWay) return
    isUnderWay = true
    void act()
      .catch(() => undefined)
      .finally(() => (isUnderWay = false))
  }, everyMs).unref()
  return () => clearInterval(timer)
}
