// A dialog: the browser's own, which holds the focus and gives it back.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

interface DialogProps {
  readonly title: string
  /** Escape and the cross ask for this too */
  readonly onClose: () => void
  /** something in it would be lost: it is closed by its own buttons alone */
  readonly firm?: boolean
  readonly wide?: boolean
  readonly children: ComponentChildren
}

export function Dialog({ title, onClose, firm = false, wide = false, children }: DialogProps) {
  const id = useId()
  const box = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const opened = document.activeElement
    box.current?.showModal()
    // into the first field rather than onto the cross
    box.current?.querySelector<HTMLElement>('form :is(input:not([type=file]), textarea, select)')?.focus()
    return () => {
      if (opened instanceof HTMLElement && opened.isConnected) opened.focus()
    }
  }, [])
  // a browser lets a second Escape through, and for a moment the page behind would hear the third
  useEffect(() => {
    if (!firm) return undefined
    const listen = (event: KeyboardEvent) => {
      if (event.key === 'Escape') event.preventDefault()
    }
    addEventListener('keydown', listen, { capture: true })
    return () => removeEventListener('keydown', listen, { capture: true })
  }, [firm])
  return (
    <dialog
      ref={box}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        if (!firm) onClose()
      }}
      onClose={() => {
        // what is firm opens again
        if (firm) box.current?.showModal()
        else onClose()
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {!firm && (
          <button type="button" class="button quiet icon" aria-label="Close" onClick={onClose}>
            ✕
          </button>
        )}
      </header>
      {children}
    </dialog>
  )
}
