// Stamps of reviews: what a definition was held against, and where it differs from that on purpose.

/** the version of the platform's document, the day, and a hash of the operations in it (src/review/hash.ts) */
export interface Stamp {
  readonly version: string
  readonly date: string
  readonly hash?: string
}

/** A difference that `vitrine review` would find, and that is meant so. */
export interface KnownDifference {
  readonly class: string
  readonly at: string
  readonly what: string
  readonly why: string
}

export const stamp = (version: string, date: string, hash?: string): Stamp => ({
  version,
  date,
  ...(hash !== undefined && { hash }),
})

/** the finding's class, where it is, and what the document says, or, where it says nothing, what we say */
export const differs = (name: string, at: string, what: string, why: string): KnownDifference => ({
  class: name,
  at,
  what,
  why,
})
