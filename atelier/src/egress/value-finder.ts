// Finds secret values in a stream with one automaton (Aho-Corasick) for all of them. Each byte costs four table reads, whatever
// the values are and however much of one has just been seen: neither the work nor its duration depends on a partial match.

export type ValueFound = (end: number, length: number) => void

/** A byte is read as four symbols of two bits: a table with a row of all byte values for each state would be 16 times as large. */
export class ValueFinder {
  /** the next state by state and symbol; complete, so no failure link is followed while bytes are read */
  readonly #next: Uint32Array
  /** the longest value that ends in a state, or 0 */
  readonly #ending: Uint16Array
  #states = 1

  constructor(values: readonly string[]) {
    const bytes = values.map((value) => Buffer.from(value, 'latin1'))
    const most = 1 + 4 * bytes.reduce((sum, { length }) => sum + length, 0)
    const next = new Uint32Array(4 * most)
    const ending = new Uint16Array(most)
    for (const value of bytes) ending[this.#add(value, next)] = value.length
    this.#next = next.slice(0, 4 * this.#states)
    this.#ending = ending.slice(0, this.#states)
    this.#complete()
  }

  /** Reads bytes from a state on, reports each end of a value, and returns the state behind them. The first state is 0. */
  scan(bytes: Uint8Array, from: number, found: ValueFound): number {
    const next = this.#next
    const ending = this.#ending
    let state = from
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] as number
      state = next[4 * state + (byte >> 6)] as number
      state = next[4 * state + ((byte >> 4) & 3)] as number
      state = next[4 * state + ((byte >> 2) & 3)] as number
      state = next[4 * state + (byte & 3)] as number
      const length = ending[state] as number
      if (length > 0) found(at + 1, length)
    }
    return state
  }

  #add(value: Uint8Array, next: Uint32Array): number {
    let state = 0
    for (const byte of value)
      for (let shift = 6; shift >= 0; shift -= 2) {
        const at = 4 * state + ((byte >> shift) & 3)
        if (next[at] === 0) next[at] = this.#states++
        state = next[at] as number
      }
    return state
  }

  /** breadth first: the state of the longest proper suffix is complete before it is needed */
  #complete() {
    const next = this.#next
    const ending = this.#ending
    const suffix = new Uint32Array(this.#states)
    const queue = new Uint32Array(this.#states)
    let known = 1
    for (let at = 0; at < known; at += 1) {
      const state = queue[at] as number
      const shorter = suffix[state] as number
      if (ending[state] === 0) ending[state] = ending[shorter] as number
      for (let symbol = 0; symbol < 4; symbol += 1) {
        const child = next[4 * state + symbol] as number
        const other = state === 0 ? 0 : (next[4 * shorter + symbol] as number)
        if (child === 0) next[4 * state + symbol] = other
        else {
          suffix[child] = other
          queue[known++] = child
        }
      }
    }
  }
}
