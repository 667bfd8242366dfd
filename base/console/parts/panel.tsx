// What a row of a listing opens to: beside the listing, or in its place where there is little room. Not a dialog: the listing
// stays usable. Both are in one element of the class `split`.
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { useWindowEvent } from '../window-event.ts'
import { CloseButton } from './controls.tsx'

interface PanelProps {
  readonly title: ComponentChildren
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** moves the focus to the panel when it opens, and back when it closes */
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
      // the focus stays where it is if it has moved to another row
      if (now !== document.body && !panel?.contains(now)) return
      const back = opened instanceof HTMLElement && opened.isConnected ? opened : document.getElementById('main')
      setTimeout(() => back?.focus({ preventScroll: true }))
    }
  }, [])
  return box
}

/** from anywhere in the listing or the panel, but not out of a dialog */
function useEscape(box: RefObject<HTMLElement | null>, onClose: () => void) {
  useWindowEvent('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog')) return
    if (box.current?.parentElement?.contains(event.target as Node)) onClose()
  })
}

export function Panel({ title, onClose, children }: PanelProps) {
  const id = useId()
  const box = useFocus()
  useEscape(box, onClose)
  return (
    <section ref={box} class="panel" tabIndex={-1} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <CloseButton onClick={onClose} />
      </header>
      {children}
    </section>
  )
}
