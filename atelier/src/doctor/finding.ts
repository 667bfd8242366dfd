// A problem of an installation, and what the operator does about it.
export interface Finding {
  readonly problem: string
  readonly fix: string
}
