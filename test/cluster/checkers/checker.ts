// What all checkers have in common: they hear what happened, and say what should not have. Times are the test's own steady
// clock, so what was acknowledged before something was sent, was.

export interface Checker {
  readonly promise: string
  /** in words, with the figures; empty while the promise holds */
  faults(): readonly string[]
}

/** the first are told, and how many there are */
export function createFaults(most = 20) {
  const told: string[] = []
  let count = 0
  return {
    add(words: string) {
      count++
      if (told.length < most) told.push(words)
    },
    all: (): readonly string[] => (count > told.length ? [...told, `and ${count - told.length} more`] : told),
  }
}
