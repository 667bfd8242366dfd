// A problem of an installation, and what the operator does about it.
export interface Finding {
  readonly problem: string
  readonly fix: string
  /** the installation works all the same, so it does not count as a problem */
  readonly isAdvice?: boolean
}
