// The end of an errand, told as a problem; and pauses that end with it.
import { Problem } from '../problem.ts'

/** whether it was the deadline, and not a caller who left */
export const isLate = ({ reason }: AbortSignal): boolean => reason instanceof Error && reason.name === 'TimeoutError'

/** the signal's own reason: the deadline, or a caller who has left */
export const endOf = (signal: AbortSignal): Problem =>
  new Problem('upstream_timeout', { cause: signal.reason instanceof Error ? signal.reason.name : 'aborted' })

export function pause(ms: number, signal: AbortSignal): Promise<void> {
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
    signal.addEventListener('abort', end, { once: true })
  })
}

/** an end of its own for a part of an errand, besides the errand's */
export async function within<T>(ms: number, signal: AbortSignal, act: (part: AbortSignal) => Promise<T>): Promise<T> {
  const part = new AbortController()
  const follow = () => part.abort(signal.reason)
  if (signal.aborted) follow()
  signal.addEventListener('abort', follow)
  const clock = setTimeout(() => part.abort(new DOMException('one call', 'TimeoutError')), ms)
  try {
    return await act(part.signal)
  } finally {
    clearTimeout(clock)
    signal.removeEventListener('abort', follow)
  }
}

/** what the promise comes to, but never later than the errand */
export async function orEnd<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const end = () => reject(endOf(signal))
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  try {
    return await Promise.race([promise, ended])
  } finally {
    signal.removeEventListener('abort', end)
  }
}
