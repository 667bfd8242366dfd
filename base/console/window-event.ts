// Listens on the window while a component is drawn.
import { useEffect, useRef } from 'preact/hooks'

/** the listener may differ with each drawing */
export function useWindowEvent<Type extends keyof WindowEventMap>(
  type: Type,
  listener: (event: WindowEventMap[Type]) => void,
  { isActive = true, capture = false } = {},
) {
  const latest = useRef(listener)
  latest.current = listener
  useEffect(() => {
    if (!isActive) return undefined
    const listen = (event: WindowEventMap[Type]) => latest.current(event)
    addEventListener(type, listen, { capture })
    return () => removeEventListener(type, listen, { capture })
  }, [isActive])
}
