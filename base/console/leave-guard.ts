// Keeps people on the page, against its links and the browser's buttons, while leaving would lose something.
import { useLayoutEffect } from 'preact/hooks'
import { useWindowEvent } from './window-event.ts'

let onAttempt: (() => void) | undefined

export const isGuarded = (): boolean => onAttempt !== undefined

export const refuseLeaving = () => onAttempt?.()

export function useLeaveGuard(isActive: boolean, explain: () => void) {
  useWindowEvent('beforeunload', (event) => event.preventDefault(), { isActive })
  // with the paint that closes the form, so that the next step back is not refused
  useLayoutEffect(() => {
    if (!isActive) return undefined
    onAttempt = explain
    return () => {
      if (onAttempt === explain) onAttempt = undefined
    }
  }, [isActive])
}
