// Nobody goes away from the page, by its links or by the browser's buttons, while something would be lost by that.
import { useEffect } from 'preact/hooks'
import { hold } from '../router.ts'

/** `whenTried` says why */
export function useHold(isHeld: boolean, whenTried: () => void) {
  useEffect(() => {
    if (!isHeld) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    const release = hold(whenTried)
    return () => {
      removeEventListener('beforeunload', warn)
      release()
    }
  }, [isHeld])
}
