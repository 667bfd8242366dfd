// A dialog: the browser's own, which keeps the focus inside and gives it back; and one that asks before an action.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { Button, CloseButton } from './controls.tsx'
import { useAction } from '../load.ts'
import { useWindowEvent } from '../window-event.ts'
import { TextField } from './field.tsx'
import { Failed } from './states.tsx'
import { plainText } from './display.tsx'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  /** something in it would be lost: only its own buttons close it */
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
    // the first field, not the close button
    box.current?.querySelector<HTMLElement>('form :is(input:not([type=file]), textarea, select)')?.focus()
    return () => {
      if (opened instanceof HTMLElement && opened.isConnected) opened.focus()
    }
  }, [])
  // a browser closes a dialog at the second Escape, and the page behind would then get the third
  useWindowEvent('keydown', (event) => event.key === 'Escape' && event.preventDefault(), {
    isActive: firm,
    capture: true,
  })
  return (
    <dialog
      ref={box}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        if (!firm) onClose()
      }}
      // a firm one opens again
      onClose={() => (firm ? box.current?.showModal() : onClose())}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {!firm && <CloseButton onClick={onClose} />}
      </header>
      {children}
    </dialog>
  )
}

interface ConfirmProps {
  readonly title: string
  readonly name: string
  /** what may be typed in its place: not every name can be typed */
  readonly orId?: string
  readonly action: string
  readonly children: ComponentChildren
  /** throws an ApiRefusal; closes nothing itself */
  readonly act: () => Promise<void>
  readonly onClose: () => void
}

export function Confirm({ title, name, orId, action, children, act, onClose }: ConfirmProps) {
  const form = useRef<HTMLFormElement>(null)
  const typed = useSignal('')
  const fault = useSignal<string | undefined>(undefined)
  const { busy, refusal, run } = useAction()
  const shown = plainText(name)
  const submit = (event: Event) => {
    event.preventDefault()
    if ([name.trim(), orId].includes(typed.value.trim())) return void run(act)
    fault.value = `Type ${shown}${orId ? ` or ${orId}` : ''} exactly as shown.`
    form.current?.querySelector('input')?.focus()
    return undefined
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form ref={form} class="form" onSubmit={submit}>
        {children}
        <TextField
          label={`Type ${shown}${orId ? ' or its ID' : ''} to confirm`}
          mono
          value={typed.value}
          fault={fault.value}
          onInput={(text) => {
            typed.value = text
            fault.value = undefined
          }}
        />
        {refusal.value && <Failed refusal={refusal.value} />}
        <div class="actions">
          <Button kind="danger" type="submit" busy={busy.value}>
            {action}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  )
}
