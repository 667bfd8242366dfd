// How a route stands after a review.
import type { Route } from '../catalogue/define.ts'
import type { Finding } from './finding.ts'

/** `unchanged`: byte for byte what was reviewed, as far as a program can tell; `absent`: not in this document yet */
export type Standing = 'unchanged' | 'as-reviewed' | 'drifted' | 'absent'

export interface Reviewed {
  readonly route: Route
  readonly standing: Standing
  /** of the operations in this document; absent where one of them is */
  readonly hash?: string
  /** whether the route was reviewed against a newer document */
  readonly isOlder: boolean
  readonly findings: readonly Finding[]
}
