// A creation that may be sent again without making a second one: the same content goes with the same Idempotency-Key.
import { useRef } from 'preact/hooks'

/** answers the header for this content */
export function useIdempotencyKey() {
  const last = useRef({ content: '', key: '' })
  return (content: string) => {
    if (last.current.content !== content) last.current = { content, key: crypto.randomUUID() }
    return { 'idempotency-key': last.current.key }
  }
}
