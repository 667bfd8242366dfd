// What a check came to.

export interface Verdict {
  readonly state: 'ok' | 'warn' | 'fail' | 'skip'
  /** what is so, in one sentence */
  readonly says: string
  /** why it is so */
  readonly cause?: string | undefined
  /** what to do about it */
  readonly cure?: string | undefined
  /** why what needs this one is not tried, though it has not failed */
  readonly stops?: string | undefined
}

export interface Finding extends Omit<Verdict, 'stops'> {
  /** of the check; `group:NAME` for a group of routes */
  readonly id: string
  readonly connection?: string
  readonly tookMs?: number
}

type Why = Pick<Verdict, 'cause' | 'cure' | 'stops'>

export const ok = (says: string): Verdict => ({ state: 'ok', says })
export const warn = (says: string, why: Why): Verdict => ({ state: 'warn', says, ...why })
export const fail = (says: string, why: Why): Verdict => ({ state: 'fail', says, ...why })
export const skip = (reason: string): Verdict => ({ state: 'skip', says: `Not tried: ${reason}.`, stops: reason })
