// The events that lie ahead, as a heap: the earliest first, and of those of one moment the one that was added first.

export interface QueuedEvent {
  readonly at: number
  readonly order: number
}

const isBefore = (a: QueuedEvent, b: QueuedEvent): boolean => a.at < b.at || (a.at === b.at && a.order < b.order)

export class EventQueue<E extends QueuedEvent> {
  readonly #heap: E[] = []

  get size(): number {
    return this.#heap.length
  }

  all(): readonly E[] {
    return this.#heap
  }

  /** takes all, in no order */
  drain(): E[] {
    return this.#heap.splice(0)
  }

  first(): E | undefined {
    return this.#heap[0]
  }

  add(event: E) {
    const heap = this.#heap
    let at = heap.push(event) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if (isBefore(heap[above] as E, event)) break
      heap[at] = heap[above] as E
      at = above
    }
    heap[at] = event
  }

  take(): E | undefined {
    const heap = this.#heap
    const [top, last] = [heap[0], heap.pop()]
    if (last === undefined || last === top) return top
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= heap.length) break
      if (below + 1 < heap.length && isBefore(heap[below + 1] as E, heap[below] as E)) below++
      if (isBefore(last, heap[below] as E)) break
      heap[at] = heap[below] as E
      at = below
    }
    heap[at] = last
    return top
  }
}
