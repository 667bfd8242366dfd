// Makes a key: what it is for, what it may see, until when and how often. Its text follows in a dialog of its own.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Connection, IssuedKey } from '../../answers.ts'
import { ask } from '../../api.ts'
import { nowMs } from '../../clock.ts'
import type { UsedListing } from '../../listing.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { asRefusal, isUnknown, type Refusal } from '../../refusal.ts'
import { blank, bodyOf, type Draft, type Faults, faultsOf, type Filling, isMember, memberNames } from './draft.ts'
import { Grants } from './grants.tsx'
import { Foot, useMaking } from './making.tsx'
import { Secret } from './secret.tsx'
import { Term } from './term.tsx'

interface CreateProps {
  readonly known: UsedListing<Connection>
  readonly onMade: (made: IssuedKey) => void
  /** one may have been made, and no answer told of it */
  readonly onUnknown: () => void
  readonly onClose: () => void
}

function useFilling(onUnknown: () => void) {
  const draft = useSignal(blank)
  const faults = useSignal<Faults>({})
  const refusal = useSignal<Refusal | undefined>(undefined)
  const busy = useSignal(false)
  const send = async (): Promise<IssuedKey | undefined> => {
    faults.value = faultsOf(draft.value, nowMs())
    refusal.value = undefined
    if (busy.value || memberNames.some((member) => faults.value[member])) return undefined
    busy.value = true
    try {
      return await ask<IssuedKey>('/keys', { method: 'POST', body: bodyOf(draft.value) })
    } catch (error) {
      const said = asRefusal(error)
      if (isMember(said.param)) faults.value = { [said.param]: said.message }
      else refusal.value = said
      if (isUnknown(said)) onUnknown()
      return undefined
    } finally {
      busy.value = false
    }
  }
  const change = (changed: Partial<Draft>) => {
    draft.value = { ...draft.value, ...changed }
    // what was wrong is looked at again when it is sent
    faults.value = {}
  }
  return { draft, faults, refusal, busy, send, change }
}

/** to the first that is wrong, as soon as it is marked */
function useFirstFault(form: { readonly current: HTMLFormElement | null }, faults: Signal<Faults>) {
  useEffect(() => {
    if (Object.keys(faults.value).length === 0) return
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-faulty="true"]')
    const control = wrong?.matches('fieldset') ? wrong.querySelector<HTMLElement>('input') : wrong
    control?.focus()
  }, [faults.value])
}

export function Create({ known, onMade, onUnknown, onClose }: CreateProps) {
  const form = useRef<HTMLFormElement>(null)
  const issued = useSignal<IssuedKey | undefined>(undefined)
  const { draft, faults, refusal, busy, send, change } = useFilling(onUnknown)
  const making = useMaking(busy.value, (made) => {
    issued.value = made
    onMade(made)
  })
  useFirstFault(form, faults)
  const close = () => {
    issued.value = undefined
    onClose()
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    const made = await send()
    if (made) making.onMade(made)
  }
  if (issued.value) return <Secret issued={issued.value} onDone={close} />
  const filling: Filling = { draft: draft.value, faults: faults.value, change }
  return (
    <Dialog title="Create key" wide firm={busy.value} onClose={onClose}>
      <form ref={form} class="form" onSubmit={(event) => void submit(event)}>
        <div class="pair">
          <TextField
            label="Name"
            required
            hint="What it is for, such as the program that will hold it."
            value={draft.value.name}
            fault={faults.value.name}
            onInput={(name) => change({ name })}
          />
          <TextField
            label="Note"
            optional
            hint="Only operators see it."
            value={draft.value.note}
            fault={faults.value.note}
            onInput={(note) => change({ note })}
          />
        </div>
        <Grants known={known} filling={filling} />
        <Term filling={filling} />
        <Foot
          {...{ deed: 'Create key', busy: busy.value, refusal: refusal.value, isTried: making.isTried, onClose }}
          what="The key was not made."
          whetherWhat="Whether the key was made is not known."
        />
      </form>
    </Dialog>
  )
}
