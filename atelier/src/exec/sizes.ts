// Hands the sizes of a terminal on to its command: one call at a time, with the last size.
import { setTimeout as pause } from 'node:timers/promises'

const betweenSizesMs = 100

type Resize = (columns: number, rows: number) => Promise<void>

export class TerminalSizes {
  readonly #resize: Resize
  #isResizing = false
  #wanted: { readonly columns: number; readonly rows: number } | undefined

  constructor(resize: Resize) {
    this.#resize = resize
  }

  want(columns: number, rows: number) {
    this.#wanted = { columns, rows }
    if (!this.#isResizing) void this.#work()
  }

  async #work() {
    this.#isResizing = true
    while (this.#wanted) {
      const { columns, rows } = this.#wanted
      this.#wanted = undefined
      // a size that the engine does not take is no end
      await this.#resize(columns, rows).catch(() => {})
      // of two sizes that come close together Podman may lose the last
      await pause(betweenSizesMs)
    }
    this.#isResizing = false
  }
}
