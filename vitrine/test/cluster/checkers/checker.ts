// The interface of all checkers: they receive what happened, and report violations. Times are the test's own monotonic clock, so
// what was acknowledged before a request was sent precedes that request.

export interface Checker {
  readonly promise: string
  /** in words, with the figures; empty while the promise holds */
  faults(): readonly string[]
}

/** lists the first ones, and how many there are */
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
