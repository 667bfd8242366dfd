// What is at work in a container: commands, transfers, SSH connections. It counts as activity, and ends with the container.
import type { StatusReason } from '../store/container-rows.ts'

export interface Work {
  /** called once, when the container ends before the work does */
  readonly end: (reason: StatusReason) => void
}

export interface LiveWork {
  /** the returned function says that the work is over */
  begin(container: string, end: Work['end']): () => void
  isBusy(container: string): boolean
  endAll(container: string, reason: StatusReason): void
  /** containers with work, whose last activity is now */
  busy(): readonly string[]
}

/** `active` notes the time of the last activity */
export function createLiveWork(active: (container: string) => void): LiveWork {
  const all = new Map<string, Set<Work>>()
  return {
    begin(container, end) {
      const work: Work = { end }
      const mine = all.get(container) ?? new Set()
      all.set(container, mine.add(work))
      active(container)
      return () => {
        if (!mine.delete(work)) return
        if (mine.size === 0 && all.get(container) === mine) all.delete(container)
        active(container)
      }
    },
    isBusy: (container) => all.has(container),
    endAll(container, reason) {
      const mine = all.get(container) ?? new Set()
      all.delete(container)
      for (const { end } of mine) end(reason)
    },
    busy: () => [...all.keys()],
  }
}
