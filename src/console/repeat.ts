// Asks again and again while the page is seen, and at once when it is seen again.
import { useEffect, useRef } from 'preact/hooks'

/** `everyMs` undefined: not at all */
export function useRepeat(again: () => void, everyMs: number | undefined) {
  const act = useRef(again)
  act.current = again
  useEffect(() => {
    if (everyMs === undefined) return undefined
    let askedAt = performance.now()
    const ask = () => {
      if (document.hidden || performance.now() - askedAt < everyMs / 2) return
      askedAt = performance.now()
      act.current()
    }
    const timer = setInterval(ask, everyMs)
    document.addEventListener('visibilitychange', ask)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', ask)
    }
  }, [everyMs])
}
