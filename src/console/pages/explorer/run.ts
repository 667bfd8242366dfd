// What came of a question so far, and what did not.
import type { Refusal } from '../../refusal.ts'
import type { Draft } from './draft.ts'
import type { Reading } from './reading.ts'

/** one question, and the pages that came of it so far */
export interface Run {
  readonly connection: string
  readonly draft: Draft
  readonly pages: readonly Reading[]
  /** the pictures that were asked for */
  readonly shown: ReadonlySet<string>
  /** when the last page came */
  readonly at: string
}

export type Turn = 'first' | 'next'

export interface Failure {
  readonly connection: string
  readonly turn: Turn
  readonly refusal: Refusal
  /** undefined where no answer came at all */
  readonly reading: Reading | undefined
}
