// The context of a platform call that replicas share. It is that of its own callers; when the last of them leaves, the call
// goes on while another replica waits, until the callers' latest deadline.
import { LightAbort, type AbortGroup } from '../../../base/core/abort.ts'
import type { ReadContext } from '../platform/port.ts'

export interface LeaderRequestParts {
  readonly steady: () => number
  /** whether another replica waits */
  readonly isAwaited: () => Promise<boolean>
  /** aborted when the service stops */
  readonly stop: AbortGroup
  readonly onArrival: (bytes: number) => Promise<unknown>
}

/** the longest a call may go on without callers */
const longestMs = 60_000

export function createLeaderRequest(own: ReadContext, { steady, isAwaited, stop, onArrival }: LeaderRequestParts) {
  const signal = new LightAbort()
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
    context: {
      who: own.who,
      fresh: own.fresh,
      cost: own.cost,
      budget: own.budget,
      trial: own.trial,
      trace: own.trace,
      signal,
      onArrival,
      get endsAt() {
        return own.signal.aborted ? endsAt : own.endsAt
      },
      get patient() {
        return own.patient
      },
      onJoin: (listener: (other: ReadContext) => void) => own.onJoin?.(listener),
    },
    /** the call has ended */
    end() {
      hasLanded = true
      clearTimeout(clock)
      own.signal.removeEventListener('abort', leave)
      stop.unfollow(signal)
    },
  }
}
