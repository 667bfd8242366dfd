// How much output may be on its way to a client that confirms what it has taken: a browser puts no limit on what waits for a page.

export class OutputWindow {
  readonly #most: number
  #underWay = 0
  #isClosed = false
  #wake = () => {}

  /** undefined: the client confirms nothing, and the socket alone slows the command */
  constructor(bytes: number | undefined) {
    this.#most = bytes ?? Infinity
  }

  /** resolves once the client has taken enough; a piece may go beyond the window */
  async room(): Promise<void> {
    while (this.#underWay >= this.#most && !this.#isClosed) await new Promise<void>((ok) => (this.#wake = ok))
  }

  sent(bytes: number) {
    this.#underWay += bytes
  }

  /** false: so much was never sent */
  taken(bytes: number): boolean {
    if (bytes > this.#underWay) return false
    this.#underWay -= bytes
    this.#wake()
    return true
  }

  close() {
    this.#isClosed = true
    this.#wake()
  }
}
