// Counters of the last hour, a row of them for each minute. The rows go round: a minute takes the place of one that is older
// than any that is kept. There are as many rows as were needed so far: most connections are used for moments, and would else
// hold an hour of zeros. Nothing is allocated when something is counted in a row that is there.

/** the minute under way, and those before it */
export const kept = 60
const sizes = [4, 16, kept] as const

export class Minutes {
  readonly #width: number
  #rows: number = sizes[0]
  #counts: Uint32Array
  /** the latest minute that has a row */
  #latest = Number.NEGATIVE_INFINITY
  /** the earliest one in which something was counted */
  #first = Number.POSITIVE_INFINITY

  constructor(width: number) {
    this.#width = width
    this.#counts = new Uint32Array(this.#rows * width)
  }

  /** what comes late is counted in its own minute; what comes an hour late, nowhere */
  add(minute: number, column: number, count = 1) {
    if (minute > this.#latest) this.#reach(minute)
    if (minute <= this.#latest - kept) return
    if (minute <= this.#latest - this.#rows) this.#grow(this.#latest - minute + 1)
    if (minute < this.#first) this.#first = minute
    const at = (minute % this.#rows) * this.#width + column
    this.#counts[at] = (this.#counts[at] ?? 0) + count
  }

  at(minute: number, column: number): number {
    return this.#has(minute) ? (this.#counts[(minute % this.#rows) * this.#width + column] ?? 0) : 0
  }

  /** of one column: the hour that ends with this minute, oldest first */
  hour(last: number, column: number): number[] {
    const [counts, width, rows, first] = [this.#counts, this.#width, this.#rows, last - kept + 1]
    const hour: number[] = []
    for (let minute = first; minute < first + kept; minute++)
      hour.push(this.#has(minute) ? (counts[(minute % rows) * width + column] ?? 0) : 0)
    return hour
  }

  sum(last: number, column: number): number {
    const [counts, width, rows] = [this.#counts, this.#width, this.#rows]
    let sum = 0
    for (let minute = last - kept + 1; minute <= last; minute++)
      if (this.#has(minute)) sum += counts[(minute % rows) * width + column] ?? 0
    return sum
  }

  /** all that is here, and it is here no longer: minute, column and count in turn, without what is 0 */
  take(): number[] {
    const taken: number[] = []
    const first = Math.max(0, this.#latest - this.#rows + 1)
    for (let minute = first; minute <= this.#latest; minute++)
      for (let column = 0; column < this.#width; column++) {
        const count = this.at(minute, column)
        if (count > 0) taken.push(minute, column, count)
      }
    this.#counts.fill(0)
    this.#first = Number.POSITIVE_INFINITY
    return taken
  }

  /** adds what was taken elsewhere */
  give(taken: readonly number[]) {
    for (let i = 0; i + 2 < taken.length; i += 3) this.add(taken[i] ?? 0, taken[i + 1] ?? 0, taken[i + 2] ?? 0)
  }

  #has(minute: number): boolean {
    return minute <= this.#latest && minute > this.#latest - this.#rows
  }

  /** the rows between the latest minute and this one begin at 0 */
  #reach(minute: number) {
    if (this.#latest <= minute - kept) this.#first = Number.POSITIVE_INFINITY
    const first = Math.max(this.#first, minute - kept + 1)
    if (minute - first >= this.#rows) this.#grow(minute - first + 1)
    for (let each = Math.max(this.#latest, minute - this.#rows) + 1; each <= minute; each++) {
      const from = (each % this.#rows) * this.#width
      this.#counts.fill(0, from, from + this.#width)
    }
    this.#latest = minute
  }

  #grow(needed: number) {
    const rows = sizes.find((size) => size >= needed) ?? kept
    const counts = new Uint32Array(rows * this.#width)
    for (let each = Math.max(0, this.#latest - this.#rows + 1); each <= this.#latest; each++) {
      const from = (each % this.#rows) * this.#width
      counts.set(this.#counts.subarray(from, from + this.#width), (each % rows) * this.#width)
    }
    ;[this.#rows, this.#counts] = [rows, counts]
  }
}
