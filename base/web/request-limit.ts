// Limits concurrent requests, in all and for one key, and while memory is short: 503 beyond it.
import { steadyMs } from '../core/abort.ts'
import { getHeapStatistics } from 'node:v8'
import type { Observe } from '../core/events.ts'
import { Problem } from '../core/problem.ts'

interface Place {
  /** requests under way */
  held: number
}

/** `place`: of the key that it counts for; undefined: it does not count */
export interface LimitedRequest {
  place?: Place | undefined
}

export interface RequestLimit {
  take(request: LimitedRequest): void
  own(request: LimitedRequest, key: string): void
  free(request: LimitedRequest): void
}

export interface RequestLimitOptions {
  readonly most: number
  readonly observe: Observe
  readonly sample?: (() => number) | undefined
  readonly steady?: (() => number) | undefined
}

const sampleMs = 250
const mostHeap = 0.85
const mostOfOne = 512
const retryAfterSec = 1

function heapInUse(): number {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
  return used / limit
}

export function createRequestLimit(options: RequestLimitOptions): RequestLimit {
  const { most, observe, sample = heapInUse, steady = steadyMs } = options
  let taken = 0
  const nobody: Place = { held: 0 }
  /** Kept at 0: a Map that fills and empties with every request leaves its old tables to the next major collection. */
  const places = new Map<string, Place>()
  let sampledAt = Number.NEGATIVE_INFINITY
  let isShort = false

  function isMemoryShort(): boolean {
    if (steady() - sampledAt < sampleMs) return isShort
    sampledAt = steady()
    return (isShort = sample() > mostHeap)
  }

  /** nearly all that are at 0 are of keys that are not used now */
  function makeRoom() {
    for (const [key, { held }] of places) if (held === 0) places.delete(key)
  }

  function placeOf(key: string): Place {
    const known = places.get(key)
    if (known) return known
    if (places.size >= 2 * most) makeRoom()
    const place = { held: 0 }
    places.set(key, place)
    return place
  }

  function shed(reason: 'requests' | 'memory'): never {
    observe({ kind: 'shed', reason })
    throw new Problem('too_busy', { retryAfterSec, cause: reason })
  }

  return {
    take(request) {
      if (taken >= most) shed('requests')
      // one always passes: a heap full of garbage is collected only while something allocates
      if (taken > 0 && isMemoryShort()) shed('memory')
      request.place = nobody
      taken++
    },
    own(request, key) {
      const place = placeOf(key)
      if (place.held >= mostOfOne) shed('requests')
      request.place = place
      place.held++
    },
    free(request) {
      const { place } = request
      if (!place) return
      request.place = undefined
      taken--
      if (place !== nobody) place.held--
    },
  }
}
