// What is wrong with the simulated engine at a moment.
import type { Made } from './engine.ts'

/** probabilities, and times in milliseconds */
export interface Ills {
  /** 500, and nothing is done */
  refuses: number
  /** it is done, and the answer is 500 */
  denies: number
  /** it is done, and the connection closes without an answer */
  drops: number
  /** it is done, and never answered */
  silent: number
  /** the connection closes at once, and it is done later */
  late: number
  slowMs: number
  /** events that are not told */
  hides: number
  /** lists are of the moment in which this began */
  staleList: readonly Made[] | undefined
  hasNoImage: boolean
}

export const noIlls = (): Ills => ({
  refuses: 0,
  denies: 0,
  drops: 0,
  silent: 0,
  late: 0,
  slowMs: 0,
  hides: 0,
  staleList: undefined,
  hasNoImage: false,
})
