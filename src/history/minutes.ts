// Counters of the last hour, a row of them for each minute. The rows go round: a minute takes the place of the one that is an
// hour older. Nothing is allocated when something is counted.

/** the minute under way, and those before it */
export const kept = 60

export class Minutes {
  readonly #width: number
  readonly #counts: Uint32Array
  /** the latest minute that has a row: it and the 59 before it are here */
  #latest = Number.NEGATIVE_INFINITY

  constructor(width: number) {
    this.#width = width
    this.#counts = new Uint32Array(kept * width)
  }

  /** what comes late is counted in its own minute; what comes an hour late, nowhere */
  add(minute: number, column: number, count = 1) {
    if (minute > this.#latest) this.#reach(minute)
    if (minute <= this.#latest - kept) return
    const at = (minute % kept) * this.#width + column
    this.#counts[at] = (this.#counts[at] ?? 0) + count
  }

  at(minute: number, column: number): number {
    return this.#has(minute) ? (this.#counts[(minute % kept) * this.#width + column] ?? 0) : 0
  }

  /** of one column: the hour that ends with this minute, oldest first */
  hour(last: number, column: number): number[] {
    const [counts, width, first] = [this.#counts, this.#width, last - kept + 1]
    const hour: number[] = []
    for (let minute = first; minute < first + kept; minute++)
      hour.push(this.#has(minute) ? (counts[(minute % kept) * width + column] ?? 0) : 0)
    return hour
  }

  sum(last: number, column: number): number {
    const [counts, width] = [this.#counts, this.#width]
    let sum = 0
    for (let minute = last - kept + 1; minute <= last; minute++)
      if (this.#has(minute)) sum += counts[(minute % kept) * width + column] ?? 0
    return sum
  }

  /** all that is here, and it is here no longer: minute, column and count in turn, without what is 0 */
  take(): number[] {
    const taken: number[] = []
    const first = Math.max(0, this.#latest - kept + 1)
    for (let minute = first; minute <= this.#latest; minute++)
      for (let column = 0; column < this.#width; column++) {
        const count = this.at(minute, column)
        if (count > 0) taken.push(minute, column, count)
      }
    this.#counts.fill(0)
    return taken
  }

  /** adds what was taken elsewhere */
  give(taken: readonly number[]) {
    for (let i = 0; i + 2 < taken.length; i += 3) this.add(taken[i] ?? 0, taken[i + 1] ?? 0, taken[i + 2] ?? 0)
  }

  #has(minute: number): boolean {
    return minute <= this.#latest && minute > this.#latest - kept
  }

  /** the rows between the latest minute and this one begin at 0 */
  #reach(minute: number) {
    for (let each = Math.max(this.#latest, minute - kept) + 1; each <= minute; each++) {
      const from = (each % kept) * this.#width
      this.#counts.fill(0, from, from + this.#width)
    }
    this.#latest = minute
  }
}
