// The result of one check.

export interface Verdict {
  readonly state: 'ok' | 'warn' | 'fail' | 'skip'
  readonly says: string
  readonly cause?: string | undefined
  /** the fix */
  readonly cure?: string | undefined
  /** set if the check did not fail, but those that need it are skipped: the reason */
  readonly stops?: string | undefined
}

export interface DoctorFinding extends Omit<Verdict, 'stops'> {
  /** the id of the check, or `group:NAME` */
  readonly id: string
  readonly connection?: string
  readonly tookMs?: number
}

type Why = Pick<Verdict, 'cause' | 'cure' | 'stops'>

export const ok = (says: string): Verdict => ({ state: 'ok', says })
export const warn = (says: string, why: Why): Verdict => ({ state: 'warn', says, ...why })
export const fail = (says: string, why: Why): Verdict => ({ state: 'fail', says, ...why })
export const skip = (reason: string): Verdict => ({ state: 'skip', says: `Not tried: ${reason}.`, stops: reason })
