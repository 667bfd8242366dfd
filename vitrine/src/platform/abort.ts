// Tells a deadline from a caller who left, and pauses that end with the read.
import type { Signal } from '../../../base/core/abort.ts'
import { problemOfAbort } from '../problems.ts'

/** true for the deadline, false for a caller who left */
export const isLate = ({ reason }: Signal): boolean => reason instanceof Error && reason.name === 'TimeoutError'

export function pause(ms: number, signal: Signal): Promise<void> {
  return new Promise((ok, no) => {
    if (signal.aborted) return no(problemOfAbort(signal))
    const end = () => {
      clearTimeout(timer)
      no(problemOfAbort(signal))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end)
      ok()
    }, ms)
    signal.addEventListener('abort', end)
  })
}
