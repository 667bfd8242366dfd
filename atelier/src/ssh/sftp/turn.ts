// A channel that reads or writes files is one transfer of its account. Its place is kept while it goes on, and for a moment after.

const restMs = 5_000

export class TransferTurn {
  readonly #take: () => () => void
  readonly #rested: () => void
  #release: (() => void) | undefined
  #rest: NodeJS.Timeout | undefined

  /** `take` throws where the account has no place left; `rested` is called when the place is given back */
  constructor(take: () => () => void, rested: () => void) {
    this.#take = take
    this.#rested = rested
  }

  /** throws where the account has no place left */
  use() {
    this.#release ??= this.#take()
    clearTimeout(this.#rest)
    this.#rest = setTimeout(() => this.end(), restMs).unref()
  }

  end() {
    clearTimeout(this.#rest)
    this.#release?.()
    this.#release = undefined
    this.#rested()
  }
}
