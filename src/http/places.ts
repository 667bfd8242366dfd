// How many requests are answered at once, and whether there is memory for one more. Who finds no place is told at once,
// before anything is read for him.
import { getHeapStatistics } from 'node:v8'
import type { Observe } from '../observe.ts'
import { Problem } from '../problem.ts'

/** a request, which knows whose place it holds: '' nobody's yet, undefined none */
export interface Guest {
  place?: string | undefined
}

export interface Places {
  /** a place for this request, or 503 */
  take(request: Guest): void
  /** the place is this key's, who may not hold everybody's: else 503 */
  own(request: Guest, key: string): void
  /** its answer is made; what is only to be sent takes no place */
  free(request: Guest): void
}

export interface PlacesOptions {
  readonly most: number
  readonly observe: Observe
  /** the share of the heap that is in use */
  readonly sample?: (() => number) | undefined
  /** milliseconds of a clock that nobody sets */
  readonly steady?: (() => number) | undefined
}

const sampleMs = 250
const mostHeap = 0.85
/** for one key, so that it cannot hold everybody's */
const mostOfOne = 512
const retryAfterSec = 1

function heapInUse(): number {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
  return used / limit
}

export function createPlaces(options: PlacesOptions): Places {
  const { most, observe, sample = heapInUse, steady = () => performance.now() } = options
  let taken = 0
  const held = new Map<string, number>()
  let sampledAt = Number.NEGATIVE_INFINITY
  let isShort = false

  function isMemoryShort(): boolean {
    if (steady() - sampledAt < sampleMs) return isShort
    sampledAt = steady()
    return (isShort = sample() > mostHeap)
  }

  function shed(reason: 'requests' | 'memory'): never {
    observe({ kind: 'shed', reason })
    throw new Problem('too_busy', { retryAfterSec, cause: reason })
  }

  return {
    take(request) {
      if (taken >= most) shed('requests')
      // one is let in whatever is measured: what fills the heap may be garbage, and is looked for only while some is made
      if (taken > 0 && isMemoryShort()) shed('memory')
      request.place = ''
      taken++
    },
    own(request, key) {
      const count = (held.get(key) ?? 0) + 1
      if (count > mostOfOne) shed('requests')
      request.place = key
      held.set(key, count)
    },
    free(request) {
      const { place: key } = request
      if (key === undefined) return
      request.place = undefined
      taken--
      if (key === '') return
      const left = (held.get(key) ?? 1) - 1
      if (left === 0) held.delete(key)
      else held.set(key, left)
    },
  }
}
