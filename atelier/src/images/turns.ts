// Places among all builds of this process, given in the order in which they were asked for.

export class Turns {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(places: number) {
    this.#free = places
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Answers what gives the place back. Once it is stopped, a build does not wait for one. */
  async take(signal: AbortSignal): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    let isGiven = this.#free > 0
    const give = () => {
      isGiven = true
      resolve()
    }
    if (isGiven) this.#free -= 1
    else {
      this.#waiting.push(give)
      signal.addEventListener('abort', () => resolve(), { once: true })
      if (signal.aborted) resolve()
      await promise
    }
    return () => {
      if (!isGiven) this.#waiting.splice(this.#waiting.indexOf(give), 1)
      else if (this.#waiting.length > 0) this.#waiting.shift()!()
      else this.#free += 1
    }
  }
}
