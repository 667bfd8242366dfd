// Creates a container: its image, its name and its limits; the rest is under more options.
import { type Signal, useSignal } from '@preact/signals'
import { ask } from '../../../../../base/console/api.ts'
import { useListing } from '../../../../../base/console/listing.ts'
import { useAction } from '../../../../../base/console/load.ts'
import { Combobox } from '../../../../../base/console/parts/combobox.tsx'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { Dialog } from '../../../../../base/console/parts/dialog.tsx'
import { Disclosure } from '../../../../../base/console/parts/disclosure.tsx'
import { ChoiceField, TextField } from '../../../../../base/console/parts/field.tsx'
import { Failed } from '../../../../../base/console/parts/states.tsx'
import { isUnknown } from '../../../../../base/console/refusal.ts'
import type { Container, Image } from '../../answers.ts'
import { useIdempotencyKey } from '../../creation.ts'
import { type Faults, useFaultFocus } from '../../fault-focus.ts'
import {
  blank,
  bodyOf,
  type ContainerDraft,
  type ContainerForm,
  faultsOf,
  fieldOf,
  idleTimes,
  lifetimes,
} from './container-draft.ts'
import { MoreOptions } from './more-options.tsx'

function ImageField({ draft, faults, change }: ContainerForm) {
  const { items, state, refusal } = useListing<Image>('/images').listing.value
  const choices = items
    .filter(({ status }) => status === 'ready')
    .map(({ name, scope }) => ({ value: name, label: name, detail: scope === 'base' ? 'base image' : 'own image' }))
  const isNone = state === 'whole' && choices.length === 0
  return (
    <>
      <Combobox
        label="Image"
        needed
        free="one"
        value={draft.image}
        fault={faults['image']}
        hint={
          isNone
            ? 'There is no image yet. Ask the operator for a base image.'
            : 'An image of your own, or a base image.'
        }
        choices={choices}
        onChoose={(image) => change({ image })}
      />
      {refusal && <Failed refusal={refusal} what="The images could not be listed. You can type a name." />}
    </>
  )
}

function LimitFields({ draft, faults, change }: ContainerForm) {
  return (
    <>
      <div class="pair">
        <TextField
          label="CPUs"
          kind="number"
          hint="0.1 to 2."
          value={draft.cpu}
          fault={faults['limits.cpu']}
          onInput={(cpu) => change({ cpu })}
        />
        <TextField
          label="Memory (MiB)"
          kind="number"
          hint="32 to 4096."
          value={draft.memoryMiB}
          fault={faults['limits.memoryMiB']}
          onInput={(memoryMiB) => change({ memoryMiB })}
        />
      </div>
      <div class="pair">
        <ChoiceField
          label="Lifetime"
          hint="It is deleted afterwards, with its files."
          value={draft.ttlSeconds}
          choices={lifetimes}
          onChoose={(ttlSeconds) => change({ ttlSeconds })}
        />
        <ChoiceField
          label="Delete when idle for"
          hint="Idle: no command, transfer or connection."
          value={draft.idleSeconds}
          choices={idleTimes}
          onChoose={(idleSeconds) => change({ idleSeconds })}
        />
      </div>
    </>
  )
}

function useForm(): ContainerForm & { readonly all: Signal<Faults> } {
  const draft = useSignal<ContainerDraft>(blank)
  const all = useSignal<Faults>({})
  return {
    draft: draft.value,
    faults: all.value,
    all,
    change(changed) {
      draft.value = { ...draft.peek(), ...changed }
      // checked again when it is sent
      if (Object.keys(all.peek()).length > 0) all.value = {}
    },
  }
}

/** sends the form, and takes a refusal to the field that it names */
function useCreation(form: ReturnType<typeof useForm>, onMade: (made: Container) => void) {
  const action = useAction()
  const proofOf = useIdempotencyKey()
  const submit = async (event: Event) => {
    event.preventDefault()
    const { draft, all } = form
    all.value = faultsOf(draft)
    if (Object.keys(all.peek()).length > 0) return
    const body = bodyOf(draft)
    const headers = proofOf(JSON.stringify(body))
    const made = await action.run(
      () => ask<Container>('/containers', { method: 'POST', body, headers }),
      ({ param, message, code, details }) => {
        const field = code === 'image_not_found' ? 'image' : code === 'name_in_use' ? 'name' : fieldOf(param)
        const reason = details?.['reason']
        if (field !== undefined) all.value = { [field]: typeof reason === 'string' ? `It ${reason}.` : message }
        return field !== undefined
      },
    )
    if (made) onMade(made)
  }
  return { ...action, submit }
}

interface CreateProps {
  readonly onMade: (made: Container) => void
  readonly onClose: () => void
}

export function CreateDialog({ onMade, onClose }: CreateProps) {
  const form = useForm()
  const element = useFaultFocus(form.all)
  const { busy, refusal, submit } = useCreation(form, onMade)
  const isHidden = ['command', 'env', 'labels', 'workingDir', 'user', 'network', 'limits.pids', 'limits.diskMiB']
  const refused = refusal.value
  return (
    <Dialog title="Create container" wide firm={busy.value} onClose={onClose}>
      <form ref={element} class="form" onSubmit={(event) => void submit(event)}>
        <div class="pair">
          <ImageField {...form} />
          <TextField
            label="Name"
            optional
            hint="Small letters, digits, dots, dashes and underscores."
            value={form.draft.name}
            fault={form.faults['name']}
            onInput={(name) => form.change({ name })}
          />
        </div>
        <LimitFields {...form} />
        <Disclosure summary="More options" open={isHidden.some((name) => form.faults[name] !== undefined)}>
          {() => <MoreOptions {...form} />}
        </Disclosure>
        {refused && (
          <Failed
            refusal={refused}
            what={
              isUnknown(refused) ? 'It is unknown whether the container was created.' : 'The container was not created.'
            }
          />
        )}
        <div class="actions">
          <Button kind="main" type="submit" busy={busy.value}>
            Create container
          </Button>
          <Button off={busy.value} onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
