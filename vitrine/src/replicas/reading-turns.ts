// When documents are read whose leases Redis ended: a few in each turn of the event loop. One reply of Redis ends many leases, and the
// steps of their reads would then alternate, so that the texts of all of them are in use together and V8 promotes them.

/** of text; alternating, small documents take less time than one after the other */
const mostInOneTurn = 1024 * 1024

interface Waiting {
  readonly bytes: number
  readonly start: () => void
}

export class ReadingTurns {
  readonly #waiting: Waiting[] = []
  #startedBytes = 0
  #isPlanned = false

  /** resolves when a document with so many bytes of text may be read, in the order of the calls; undefined: now */
  wait(bytes: number): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#hasRoom(bytes)) return this.#count(bytes)
    return new Promise((start) => void this.#waiting.push({ bytes, start }))
  }

  /** one always has */
  #hasRoom(bytes: number): boolean {
    return this.#startedBytes === 0 || this.#startedBytes + bytes <= mostInOneTurn
  }

  #count(bytes: number): undefined {
    this.#startedBytes += Math.max(1, bytes)
    if (this.#isPlanned) return
    this.#isPlanned = true
    setImmediate(() => this.#takeTurn())
  }

  #takeTurn() {
    this.#isPlanned = false
    this.#startedBytes = 0
    for (;;) {
      const [next] = this.#waiting
      if (!next || !this.#hasRoom(next.bytes)) return
      this.#waiting.shift()
      this.#count(next.bytes)
      next.start()
    }
  }
}
