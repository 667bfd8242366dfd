// Counters of the last hour in a ring of rows, one for each minute. Rows are allocated as needed, since most connections are
// used briefly; counting in an existing row allocates nothing.

export const minutesKept = 60
const sizes = [4, 16, minutesKept] as const

export class Minutes {
  readonly #width: number
  #rows: number = sizes[0]
  #counts: Uint32Array
  #latest = Number.NEGATIVE_INFINITY
  #first = Number.POSITIVE_INFINITY

  constructor(width: number) {
    this.#width = width
    this.#counts = new Uint32Array(this.#rows * width)
  }

  /** minutes never go back */
  add(minute: number, column: number) {
    if (minute > this.#latest) this.#reach(minute)
    if (minute < this.#first) this.#first = minute
    const at = (minute % this.#rows) * this.#width + column
    this.#counts[at] = (this.#counts[at] ?? 0) + 1
  }

  at(minute: number, column: number): number {
    return this.#has(minute) ? (this.#counts[(minute % this.#rows) * this.#width + column] ?? 0) : 0
  }

  /** of one column: the hour that ends with this minute, oldest first */
  hour(last: number, column: number): number[] {
    return Array.from({ length: minutesKept }, (_, i) => this.at(last - minutesKept + 1 + i, column))
  }

  sum(last: number, column: number): number {
    let sum = 0
    for (let minute = last - minutesKept + 1; minute <= last; minute++) sum += this.at(minute, column)
    return sum
  }

  #has(minute: number): boolean {
    return minute <= this.#latest && minute > this.#latest - this.#rows
  }

  /** rows between the latest minute and this one start at 0 */
  #reach(minute: number) {
    if (this.#latest <= minute - minutesKept) this.#first = Number.POSITIVE_INFINITY
    const first = Math.max(this.#first, minute - minutesKept + 1)
    if (minute - first >= this.#rows) this.#grow(minute - first + 1)
    for (let each = Math.max(this.#latest, minute - this.#rows) + 1; each <= minute; each++) {
      const from = (each % this.#rows) * this.#width
      this.#counts.fill(0, from, from + this.#width)
    }
    this.#latest = minute
  }

  #grow(needed: number) {
    const rows = sizes.find((size) => size >= needed) ?? minutesKept
    const counts = new Uint32Array(rows * this.#width)
    for (let each = Math.max(0, this.#latest - this.#rows + 1); each <= this.#latest; each++) {
      const from = (each % this.#rows) * this.#width
      counts.set(this.#counts.subarray(from, from + this.#width), (each % rows) * this.#width)
    }
    ;[this.#rows, this.#counts] = [rows, counts]
  }
}
