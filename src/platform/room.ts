// Bytes of platform answers that are in memory at once, over all connections: as they come, unpacked, until they are parsed. A call
// waits for room before it is sent, when it holds none; an answer that outgrows what is left is refused. So no call that
// holds a part of its answer ever waits for another one.
import type { Observe } from '../observe.ts'
import { Problem } from '../problem.ts'

export interface Held {
  /** false where these bytes do not fit */
  add(bytes: number): boolean
  free(): void
}

export interface Room {
  /** room for a usual answer, in the order of asking; 503 where there is none for a while */
  enter(): Held | Promise<Held>
  readonly bytes: () => number
}

export interface RoomOptions {
  readonly most: number
  readonly observe: Observe
  readonly patienceMs?: number
}

/** most answers are smaller, and it is what a call holds from its beginning */
const usualBytes = 64 * 1024

/** for a call that stands for itself */
export const heldApart: Held = { add: () => true, free: () => {} }

export const noRoom = (): Problem => new Problem('too_busy', { retryAfterSec: 1, cause: 'memory' })

interface Waiting {
  readonly ok: (held: Held) => void
  readonly clock: NodeJS.Timeout
}

class Budget implements Room {
  readonly #most: number
  readonly #patienceMs: number
  readonly #observe: Observe
  readonly #waiting = new Set<Waiting>()
  #used = 0

  constructor({ most, observe, patienceMs = 1_000 }: RoomOptions) {
    this.#most = most
    this.#observe = observe
    this.#patienceMs = patienceMs
  }

  readonly bytes = (): number => this.#used

  enter(): Held | Promise<Held> {
    return this.#waiting.size === 0 && this.#fits(usualBytes) ? this.#hold() : this.#queue()
  }

  #fits(bytes: number): boolean {
    return this.#used + bytes <= this.#most
  }

  #wake() {
    for (const one of this.#waiting) {
      if (!this.#fits(usualBytes)) return
      this.#waiting.delete(one)
      clearTimeout(one.clock)
      one.ok(this.#hold())
    }
  }

  #hold(): Held {
    let [size, counted] = [0, usualBytes]
    this.#used += counted
    return {
      add: (bytes) => {
        const more = Math.max(0, size + bytes - counted)
        if (!this.#fits(more)) {
          this.#observe({ kind: 'shed', reason: 'memory' })
          return false
        }
        size += bytes
        counted += more
        this.#used += more
        return true
      },
      free: () => {
        this.#used -= counted
        size = counted = 0
        this.#wake()
      },
    }
  }

  #queue(): Promise<Held> {
    return new Promise((ok, no) => {
      const clock = setTimeout(() => {
        this.#waiting.delete(one)
        this.#observe({ kind: 'shed', reason: 'memory' })
        no(noRoom())
      }, this.#patienceMs)
      const one: Waiting = { ok, clock }
      this.#waiting.add(one)
    })
  }
}

export const createRoom = (options: RoomOptions): Room => new Budget(options)
