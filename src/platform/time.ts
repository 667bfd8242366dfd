// The end of an errand, told as a problem; and pauses that end with it.
import type { Signal } from '../ending.ts'
import { Problem } from '../problem.ts'

/** whether it was the deadline, and not a caller who left */
export const isLate = ({ reason }: Signal): boolean => reason instanceof Error && reason.name === 'TimeoutError'

/** the signal's own reason: the deadline, or a caller who has left */
export const endOf = (signal: Signal): Problem =>
  new Problem('upstream_timeout', { cause: signal.reason instanceof Error ? signal.reason.name : 'aborted' })

export function pause(ms: number, signal: Signal): Promise<void> {
  return new Promise((ok, no) => {
    if (signal.aborted) return no(endOf(signal))
    const end = () => {
      clearTimeout(timer)
      no(endOf(signal))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end)
      ok()
    }, ms)
    signal.addEventListener('abort', end)
  })
}
