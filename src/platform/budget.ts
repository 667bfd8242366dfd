// How often calls may be repeated: successes pay for it, so that an outage is not answered with more load.

/** what one success pays, and what can be saved up; a repeat costs 1 */
const [paid, most] = [0.15, 10]
/** a new connection starts with a little */
const start = 3

export interface Budget {
  earn(): void
  /** false where nothing is left for a repeat */
  spend(): boolean
}

export function createBudget(): Budget {
  let left = start
  return {
    earn: () => void (left = Math.min(most, left + paid)),
    spend() {
      if (left < 1) return false
      left--
      return true
    },
  }
}
