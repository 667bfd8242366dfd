// When documents are read whose leases Redis ended: a few at a time. One reply of Redis ends many leases, and the steps of their
// reads would then alternate, so that the texts of all of them are in use together and V8 promotes them.

/** of text; alternating, small documents take less time than one after the other */
const mostTogether = 1024 * 1024

interface Waiting {
  readonly bytes: number
  readonly start: () => void
}

export class ReadingTurns {
  readonly #waiting: Waiting[] = []
  #isPlanned = false

  /** resolves when a document with so many bytes of text may be read, in the order of the calls */
  wait(bytes: number): Promise<void> {
    return new Promise((start) => {
      this.#waiting.push({ bytes, start })
      if (this.#isPlanned) return
      this.#isPlanned = true
      this.#plan()
    })
  }

  #plan() {
    process.nextTick(() => this.#startSome())
  }

  #startSome() {
    let leftBytes = mostTogether
    let count = 0
    for (const { bytes } of this.#waiting) {
      leftBytes -= bytes
      if (leftBytes < 0 && count > 0) break
      count++
    }
    for (const { start } of this.#waiting.splice(0, count)) start()
    this.#isPlanned = this.#waiting.length > 0
    // a tick that is planned by a microtask comes after all microtasks of those that were started
    if (this.#isPlanned) queueMicrotask(() => this.#plan())
  }
}
