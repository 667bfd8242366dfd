// The commands that run in each container, by id, and those that have ended: a kill spares both.
import { LRUCache } from 'lru-cache'

const mostEnded = 100_000

export interface RunningCommands {
  /** the returned function says that the command has ended */
  note(container: string, id: string): () => void
  /** what kills a command has a mark, too, but leaves nothing behind */
  noteKiller(container: string, id: string): () => void
  of(container: string): readonly string[]
  readonly hasEnded: (id: string) => boolean
}

export function createRunningCommands(): RunningCommands {
  const running = new Map<string, Set<string>>()
  const ended = new LRUCache<string, true>({ max: mostEnded })

  function noteKiller(container: string, id: string): () => void {
    const mine = running.get(container) ?? new Set()
    running.set(container, mine.add(id))
    return () => {
      mine.delete(id)
      if (mine.size === 0 && running.get(container) === mine) running.delete(container)
    }
  }

  return {
    noteKiller,
    note(container, id) {
      const release = noteKiller(container, id)
      return () => {
        release()
        ended.set(id, true)
      }
    },
    of: (container) => [...(running.get(container) ?? [])],
    hasEnded: (id) => ended.has(id),
  }
}
