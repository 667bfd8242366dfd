// The errand of a call that several replicas wait for: as its own callers have it, save that it goes on when the last of them
// leaves while somebody waits elsewhere, for as long as they would have waited.
import { Ending, type Finale } from '../ending.ts'
import type { Errand } from '../engine/port.ts'

export interface LeadParts {
  readonly steady: () => number
  /** whether somebody waits elsewhere */
  readonly isAwaited: () => Promise<boolean>
  /** when the service stops */
  readonly stop: Finale
}

export interface Lead {
  readonly errand: Errand
  /** it has landed */
  end(): void
}

/** no call takes longer, whatever its callers say */
const longestMs = 60_000

export function createLead(own: Errand, { steady, isAwaited, stop }: LeadParts): Lead {
  const signal = new Ending()
  let endsAt = own.endsAt
  let clock: NodeJS.Timeout | undefined
  let hasLanded = false
  own.onJoin?.((other) => (endsAt = Math.max(endsAt, other.endsAt)))

  async function left() {
    const { reason } = own.signal
    const isGone = reason instanceof Error && reason.name === 'AbortError'
    if (!isGone || !(await isAwaited())) return signal.abort(reason)
    const leftMs = Math.min(endsAt - steady(), longestMs)
    const overdue = () => signal.abort(new DOMException('deadline', 'TimeoutError'))
    if (!hasLanded) clock = setTimeout(overdue, leftMs)
  }
  const leave = () => void left()
  own.signal.addEventListener('abort', leave)
  stop.follow(signal)

  return {
    errand: {
      ...{ who: own.who, fresh: own.fresh, cost: own.cost, trial: own.trial, trace: own.trace, signal },
      get endsAt() {
        return own.signal.aborted ? endsAt : own.endsAt
      },
      get patient() {
        return own.patient
      },
      onJoin: (listener) => own.onJoin?.(listener),
    },
    end() {
      hasLanded = true
      clearTimeout(clock)
      own.signal.removeEventListener('abort', leave)
      stop.unfollow(signal)
    },
  }
}
