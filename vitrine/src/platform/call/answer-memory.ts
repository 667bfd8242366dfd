// Bounds the bytes of platform answers in memory over all connections, until they are parsed. A call waits for memory before it
// is sent, while it holds none; an answer that outgrows what is left is refused. So no call holding memory waits for another.
import type { Observe } from '../../events.ts'
import { Problem } from '../../problems.ts'

export interface Reserved {
  /** false where these bytes do not fit */
  add(bytes: number): boolean
  free(): void
}

export type AnswerMemory = ReturnType<typeof createAnswerMemory>

export interface AnswerMemoryOptions {
  readonly most: number
  readonly observe: Observe
  readonly patienceMs?: number
}

/** what a call reserves at its start; most answers are smaller */
const usualBytes = 64 * 1024

export const unbounded: Reserved = { add: () => true, free: () => {} }
export const noMemory = (): Problem => new Problem('too_busy', { retryAfterSec: 1, cause: 'memory' })

interface Waiting {
  readonly ok: (reserved: Reserved) => void
  readonly clock: NodeJS.Timeout
}

export function createAnswerMemory({ most, observe, patienceMs = 1_000 }: AnswerMemoryOptions) {
  const queue = new Set<Waiting>()
  let used = 0
  const fits = (bytes: number): boolean => used + bytes <= most
  const shed = () => observe({ kind: 'shed', reason: 'memory' })

  function wake() {
    for (const waiting of queue) {
      if (!fits(usualBytes)) return
      queue.delete(waiting)
      clearTimeout(waiting.clock)
      waiting.ok(reserve())
    }
  }

  function reserve(): Reserved {
    let [size, counted] = [0, usualBytes]
    used += counted
    return {
      add(bytes) {
        const more = Math.max(0, size + bytes - counted)
        if (!fits(more)) {
          shed()
          return false
        }
        size += bytes
        counted += more
        used += more
        return true
      },
      free() {
        used -= counted
        size = counted = 0
        wake()
      },
    }
  }

  const wait = () =>
    new Promise<Reserved>((ok, no) => {
      const clock = setTimeout(() => {
        queue.delete(waiting)
        shed()
        no(noMemory())
      }, patienceMs)
      const waiting: Waiting = { ok, clock }
      queue.add(waiting)
    })

  return {
    bytes: () => used,
    /** reserves memory for a usual answer, first come first served; 503 where none is free for a while */
    enter: () => (queue.size === 0 && fits(usualBytes) ? reserve() : wait()),
  }
}
