// Podman resets its own connection to a command that ends with input unread, and may lose the end of the output by that. It says
// so in its own words, as the last of standard error; they never reach the caller.
import type { OutputChunk } from './port.ts'

const resetText = /^Error: (?:read|write) unixpacket [^\n]*: connection reset by peer\n$/

export class LostOutputText {
  readonly #isWanted: boolean
  #held: OutputChunk | undefined

  constructor(isWanted: boolean) {
    this.#isWanted = isWanted
  }

  /** what may be passed on now: words after which more comes are the command's own */
  take(chunks: readonly OutputChunk[]): readonly OutputChunk[] {
    if (!this.#isWanted || chunks.length === 0) return chunks
    const known = this.#held ? [this.#held, ...chunks] : [...chunks]
    const { stream, data } = known.at(-1) as OutputChunk
    this.#held = stream === 'stderr' && resetText.test(data.toString('latin1')) ? known.pop() : undefined
    return known
  }

  /** after the end: the last of the output may be lost */
  get isHolding() {
    return this.#held !== undefined
  }
}
