// Creates a key: what it is for, what it may do, and until when. Its text follows in a dialog of its own.
import { type Signal, useSignal } from '@preact/signals'
import { ask } from '../../../../../base/console/api.ts'
import { Copy } from '../../../../../base/console/parts/controls.tsx'
import { Dialog } from '../../../../../base/console/parts/dialog.tsx'
import { CheckboxGroup, ChoiceField, TextField } from '../../../../../base/console/parts/field.tsx'
import { Foot, useKeyCreation } from '../../../../../base/console/parts/key-creation.tsx'
import { SecretDialog } from '../../../../../base/console/parts/secret-dialog.tsx'
import type { CreatedKey } from '../../answers.ts'
import { type Faults, useFaultFocus } from '../../fault-focus.ts'
import { blank, bodyOf, faultsOf, type KeyDraft, lifetimes } from './key-draft.ts'
import { scopes, scopeTexts } from './key-state.ts'

interface FieldsProps {
  readonly draft: Signal<KeyDraft>
  readonly faults: Signal<Faults>
}

function Fields({ draft, faults }: FieldsProps) {
  const { name, may, scopes: chosen, ends, days } = draft.value
  const change = (changed: Partial<KeyDraft>) => {
    draft.value = { ...draft.peek(), ...changed }
    // checked again when it is sent
    if (Object.keys(faults.peek()).length > 0) faults.value = {}
  }
  return (
    <>
      <TextField
        label="Name"
        required
        hint="What it is for, such as the program that uses it."
        value={name}
        fault={faults.value['name']}
        onInput={(text) => change({ name: text })}
      />
      <div class="pair">
        <ChoiceField
          label="Scopes"
          value={may}
          choices={{ all: 'All', chosen: 'Selected scopes' }}
          onChoose={(one) => change({ may: one })}
        />
        <ChoiceField
          label="Expires"
          hint={ends === 'never' ? 'It works until it is revoked. Keys that expire are safer.' : undefined}
          value={ends}
          fault={ends === 'days' ? undefined : faults.value['expiresInDays']}
          choices={lifetimes}
          onChoose={(one) => change({ ends: one })}
        />
      </div>
      {ends === 'days' && (
        <TextField
          label="Days"
          kind="number"
          value={days}
          fault={faults.value['expiresInDays']}
          onInput={(text) => change({ days: text })}
        />
      )}
      {may === 'chosen' && (
        <CheckboxGroup
          label="Selected scopes"
          choices={scopes}
          meanings={scopeTexts}
          chosen={chosen}
          fault={faults.value['scopes']}
          onChange={(picked) => change({ scopes: picked })}
        />
      )}
    </>
  )
}

/** it asks for the key: what is typed as a part of a command stays in the history of the shell */
const command = () =>
  `read -rs ATELIER_KEY && curl -H "Authorization: Bearer $ATELIER_KEY" ${location.origin}/subscription/config`

function TryIt() {
  return (
    <details class="try-it">
      <summary>Try it in a shell</summary>
      <pre>
        <code>{command()}</code>
      </pre>
      <div class="actions">
        <Copy text={command} label="Copy command" />
      </div>
      <p class="hint">The command waits until you paste the key and press Enter, then prints your limits and usage.</p>
    </details>
  )
}

interface CreateProps {
  readonly onMade: (made: CreatedKey) => void
  /** a key may have been created, and no answer said so */
  readonly onUnknown: () => void
  readonly onClose: () => void
}

export function CreateDialog({ onMade, onUnknown, onClose }: CreateProps) {
  const issued = useSignal<CreatedKey | undefined>(undefined)
  const draft = useSignal<KeyDraft>(blank)
  const faults = useSignal<Faults>({})
  const form = useFaultFocus(faults)
  const creation = useKeyCreation<CreatedKey>({
    onMade(made) {
      issued.value = made
      onMade(made)
    },
    onUnknown,
    atField({ param = '', message }) {
      const isField = ['name', 'scopes', 'expiresInDays'].includes(param)
      if (isField) faults.value = { [param]: message }
      return isField
    },
  })
  const submit = (event: Event) => {
    event.preventDefault()
    creation.refusal.value = undefined
    faults.value = faultsOf(draft.peek())
    if (Object.keys(faults.peek()).length > 0) return
    void creation.create(() => ask<CreatedKey>('/api-keys', { method: 'POST', body: bodyOf(draft.peek()) }))
  }
  const { key } = issued.value ?? {}
  if (issued.value && typeof key === 'string')
    return (
      <SecretDialog title="Your new key" issued={issued.value} secret={key} onDone={onClose}>
        <TryIt />
      </SecretDialog>
    )
  return (
    <Dialog title="Create key" firm={creation.busy.value} onClose={onClose}>
      <form ref={form} class="form" onSubmit={submit}>
        <Fields draft={draft} faults={faults} />
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
