// When something was last used, coarsely: noted in memory, written now and then, and never waited for.

/** what was noted is written at most this often */
const everyMs = 1_000
/** a store that cannot be written is left alone for a while: an embedded one would hold everybody up */
const pauseMs = 30_000
/** and nothing is noted again for so long */
const coarseMs = 5 * 60_000

interface Used {
  readonly id: string
  readonly lastUsedAt: number | null
}

export interface UseBook {
  readonly mark: (used: Used) => void
  /** writes what is left */
  close(): Promise<void>
}

export function createUses(write: (uses: ReadonlyMap<string, number>) => Promise<void>, now: () => number): UseBook {
  let due = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let waitMs = everyMs

  async function flush() {
    timer = undefined
    if (due.size === 0) return
    const uses = due
    due = new Map()
    // the next use notes it again: nobody's request fails for it
    waitMs = await write(uses).then(
      () => everyMs,
      () => pauseMs,
    )
  }

  return {
    mark({ id, lastUsedAt }) {
      const at = now()
      if ((lastUsedAt !== null && Math.abs(at - lastUsedAt) < coarseMs) || due.has(id)) return
      due.set(id, at)
      timer ??= setTimeout(() => void flush(), waitMs)
      timer.unref()
    },
    async close() {
      clearTimeout(timer)
      await flush()
    },
  }
}
