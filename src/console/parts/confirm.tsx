// Asks before what cannot be undone: the name of the thing is typed, so that no slip of the hand does it.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { asRefusal, type Refusal } from '../refusal.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { TextField } from './field.tsx'
import { plainText } from './foreign.tsx'
import { Failed } from './states.tsx'

interface ConfirmProps {
  readonly title: string
  /** what is to be typed */
  readonly name: string
  /** what may be typed in its place: not every name can be typed */
  readonly orId?: string
  /** of the button, such as `Remove connection` */
  readonly deed: string
  /** what follows from it */
  readonly children: ComponentChildren
  /** throws a Refusal; closes nothing itself */
  readonly act: () => Promise<void>
  readonly onClose: () => void
}

function useDeed({ name, orId, act }: Pick<ConfirmProps, 'name' | 'orId' | 'act'>) {
  const typed = useSignal('')
  const fault = useSignal<string | undefined>(undefined)
  const refusal = useSignal<Refusal | undefined>(undefined)
  const busy = useSignal(false)
  const send = async () => {
    if (busy.value) return
    const isRight = [name.trim(), orId].includes(typed.value.trim())
    fault.value = isRight ? undefined : `Type ${plainText(name)}${orId ? ` or ${orId}` : ''}, letter by letter.`
    if (!isRight) return
    busy.value = true
    refusal.value = undefined
    try {
      await act()
    } catch (error) {
      refusal.value = asRefusal(error)
    } finally {
      busy.value = false
    }
  }
  return { typed, fault, refusal, busy, send }
}

export function Confirm({ title, name, orId, deed, children, act, onClose }: ConfirmProps) {
  const form = useRef<HTMLFormElement>(null)
  const { typed, fault, refusal, busy, send } = useDeed({ name, ...(orId !== undefined && { orId }), act })
  const submit = async (event: Event) => {
    event.preventDefault()
    await send()
    if (fault.value) form.current?.querySelector('input')?.focus()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form ref={form} class="form" onSubmit={(event) => void submit(event)}>
        {children}
        <TextField
          label={`Type ${plainText(name)}${orId ? ', or the id,' : ''} to confirm`}
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
            {deed}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  )
}
