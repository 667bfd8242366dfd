// Creates a key: what it is for, what it can read, until when and how often. Its text follows in a dialog of its own.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Connection, IssuedKey } from '../../answers.ts'
import { ask } from '../../../../../base/console/api.ts'
import { nowMs } from '../../../../../base/console/clock.ts'
import type { UsedListing } from '../../../../../base/console/listing.ts'
import { Dialog } from '../../../../../base/console/parts/dialog.tsx'
import { TextField } from '../../../../../base/console/parts/field.tsx'
import type { ApiRefusal } from '../../../../../base/console/refusal.ts'
import { GrantFields, LimitFields } from './key-fields.tsx'
import { Foot, useKeyCreation } from '../../../../../base/console/parts/key-creation.tsx'
import { blank, bodyOf, faultsOf, isMember, type KeyDraft, type KeyFaults, type KeyForm } from './key-draft.ts'
import { SecretDialog } from './secret-dialog.tsx'

/** moves the focus to the first fault, once it is drawn */
function useFirstFault(faults: Signal<KeyFaults>) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (Object.keys(faults.value).length === 0) return
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-faulty="true"]')
    const control = wrong?.matches('fieldset') ? wrong.querySelector<HTMLElement>('input') : wrong
    control?.focus()
  }, [faults.value])
  return form
}

interface CreateProps {
  readonly known: UsedListing<Connection>
  readonly onMade: (made: IssuedKey) => void
  /** a key may have been created, and no answer said so */
  readonly onUnknown: () => void
  readonly onClose: () => void
}

export function CreateDialog({ known, onMade, onUnknown, onClose }: CreateProps) {
  const issued = useSignal<IssuedKey | undefined>(undefined)
  const draft = useSignal(blank)
  const faults = useSignal<KeyFaults>({})
  const form = useFirstFault(faults)
  const creation = useKeyCreation<IssuedKey>({
    onMade(made) {
      issued.value = made
      onMade(made)
    },
    onUnknown,
    atField({ param, message }: ApiRefusal) {
      if (isMember(param)) faults.value = { [param]: message }
      return isMember(param)
    },
  })
  const change = (changed: Partial<KeyDraft>) => {
    draft.value = { ...draft.value, ...changed }
    // checked again when it is sent
    faults.value = {}
  }
  const submit = (event: Event) => {
    event.preventDefault()
    creation.refusal.value = undefined
    faults.value = faultsOf(draft.value, nowMs())
    if (Object.keys(faults.value).length > 0) return
    void creation.create(() => ask<IssuedKey>('/keys', { method: 'POST', body: bodyOf(draft.value) }))
  }
  if (issued.value) return <SecretDialog issued={issued.value} onDone={onClose} />
  const keyForm: KeyForm = {
    draft: draft.value,
    faults: faults.value,
    change,
    field: (name) => ({
      value: draft.value[name],
      fault: faults.value[name],
      onInput: (text) => change({ [name]: text }),
    }),
  }
  return (
    <Dialog title="Create key" wide firm={creation.busy.value} onClose={onClose}>
      <form ref={form} class="form" onSubmit={submit}>
        <div class="pair">
          <TextField
            label="Name"
            required
            hint="What it is for, such as the program that uses it."
            {...keyForm.field('name')}
          />
          <TextField label="Note" optional hint="Only operators see it." {...keyForm.field('note')} />
        </div>
        <GrantFields known={known} form={keyForm} />
        <LimitFields form={keyForm} />
        <Foot
          creation={creation}
          action="Create key"
          notDone="The key was not created."
          unknown="It is unknown whether the key was created."
          onClose={onClose}
        />
      </form>
    </Dialog>
  )
}
