// What a row of a listing opens to: beside the listing, or in its place where there is little room. Not a dialog: the
// listing stays at hand. Both stand in one element of the class `beside`.
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

interface PanelProps {
  readonly title: ComponentChildren
  /** Escape and the cross ask for this */
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** goes to the panel when it opens, and back to where it was opened from when it closes */
function useFocus() {
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    const opened = document.activeElement
    const panel = box.current
    panel?.focus({ preventScroll: true })
    const top = panel?.getBoundingClientRect().top ?? 0
    if (top < 0 || top > innerHeight / 2) panel?.scrollIntoView({ block: 'start' })
    return () => {
      const now = document.activeElement
      // whoever has gone on to another row is not called back; what had the focus may be gone already
      if (now !== document.body && !panel?.contains(now)) return
      const back = opened instanceof HTMLElement && opened.isConnected ? opened : document.getElementById('main')
      setTimeout(() => back?.focus({ preventScroll: true }))
    }
  }, [])
  return box
}

/** from anywhere in the listing or the panel, save out of a dialog */
function useEscape(box: RefObject<HTMLElement | null>, onClose: () => void) {
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog')) return
      if (box.current?.parentElement?.contains(event.target as Node)) close.current()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

export function Panel({ title, onClose, children }: PanelProps) {
  const id = useId()
  const box = useFocus()
  useEscape(box, onClose)
  return (
    <section ref={box} class="panel" tabIndex={-1} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="button quiet icon" aria-label="Close" onClick={onClose}>
          ✕
        </button>
      </header>
      {children}
    </section>
  )
}
