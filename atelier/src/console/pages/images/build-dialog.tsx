// Builds an image: its name, its Dockerfile, and a tar with the files that it copies.
import { type Signal, useSignal } from '@preact/signals'
import { ask } from '../../../../../base/console/api.ts'
import { useAction } from '../../../../../base/console/load.ts'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { Dialog } from '../../../../../base/console/parts/dialog.tsx'
import { Disclosure } from '../../../../../base/console/parts/disclosure.tsx'
import { Field, TextField } from '../../../../../base/console/parts/field.tsx'
import { Failed } from '../../../../../base/console/parts/states.tsx'
import { type ApiRefusal, isUnknown } from '../../../../../base/console/refusal.ts'
import type { Image } from '../../answers.ts'
import { useIdempotencyKey } from '../../creation.ts'
import { type Faults, useFaultFocus } from '../../fault-focus.ts'
import { TextArea } from '../../text-area.tsx'
import { blank, type BuildDraft, contentOf, faultsOf, requestOf } from './build-draft.ts'

interface FieldsProps {
  readonly draft: Signal<BuildDraft>
  readonly faults: Signal<Faults>
}

const mostDockerfile = 65_536

function useChange({ draft, faults }: FieldsProps) {
  return (changed: Partial<BuildDraft>) => {
    draft.value = { ...draft.peek(), ...changed }
    // checked again when it is sent
    if (Object.keys(faults.peek()).length > 0) faults.value = {}
  }
}

function DockerfileFields(props: FieldsProps) {
  const { draft, faults } = props
  const change = useChange(props)
  const readFile = async (file: File | undefined) => {
    if (!file) return
    if (file.size > mostDockerfile) faults.value = { dockerfile: 'The file is larger than 64 KiB. Is it a Dockerfile?' }
    else change({ dockerfile: await file.text() })
  }
  return (
    <>
      <TextArea
        label="Dockerfile"
        rows={8}
        hint="It begins with FROM and an image of this service. One stage; no ADD, no network."
        value={draft.value.dockerfile}
        fault={faults.value['dockerfile']}
        onInput={(dockerfile) => change({ dockerfile })}
      />
      <Field label="Load the Dockerfile from a file" optional>
        {(control) => (
          <input {...control} type="file" onChange={({ currentTarget }) => void readFile(currentTarget.files?.[0])} />
        )}
      </Field>
    </>
  )
}

function Fields(props: FieldsProps) {
  const { draft, faults } = props
  const change = useChange(props)
  return (
    <>
      <TextField
        label="Name"
        required
        hint="Small letters, digits, dots, dashes and underscores."
        value={draft.value.name}
        fault={faults.value['name']}
        onInput={(name) => change({ name })}
      />
      <DockerfileFields {...props} />
      <Field
        label="Files for COPY"
        optional
        hint="An uncompressed tar, such as of: tar -cf context.tar -C my-folder ."
        fault={faults.value['context']}
      >
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".tar,application/x-tar"
            onChange={({ currentTarget }) => change({ context: currentTarget.files?.[0] })}
          />
        )}
      </Field>
      <Disclosure summary="Build arguments" open={faults.value['buildArgs'] !== undefined}>
        {() => (
          <TextArea
            label="Build arguments"
            hint="NAME=value on each line, for ARG. They may stand in the log: give no secrets."
            value={draft.value.buildArgs}
            fault={faults.value['buildArgs']}
            onInput={(buildArgs) => change({ buildArgs })}
          />
        )}
      </Disclosure>
    </>
  )
}

const fields: Readonly<Record<string, string>> = {
  name_in_use: 'name',
  invalid_dockerfile: 'dockerfile',
  invalid_archive: 'context',
}

/** the field that a refusal is about */
function fieldOf({ code, param = '' }: ApiRefusal): string | undefined {
  const [member = ''] = param.split(/[.[]/)
  return fields[code] ?? ['name', 'dockerfile', 'buildArgs', 'context'].find((one) => one === member)
}

function useBuild({ draft, faults }: FieldsProps, onMade: (made: Image) => void) {
  const { busy, refusal, run } = useAction()
  const headersOf = useIdempotencyKey()
  const submit = async (event: Event) => {
    event.preventDefault()
    const wish = draft.peek()
    refusal.value = undefined
    faults.value = faultsOf(wish)
    if (Object.keys(faults.peek()).length > 0) return
    const headers = headersOf(contentOf(wish))
    const made = await run(
      () => ask<Image>('/images', { method: 'POST', headers, ...requestOf(wish) }),
      (refused) => {
        const field = fieldOf(refused)
        if (field !== undefined) faults.value = { [field]: refused.message }
        return field !== undefined
      },
    )
    if (made) onMade(made)
  }
  return { busy, refusal, submit }
}

interface BuildDialogProps {
  readonly onMade: (made: Image) => void
  readonly onClose: () => void
}

export function BuildDialog({ onMade, onClose }: BuildDialogProps) {
  const props = { draft: useSignal<BuildDraft>(blank), faults: useSignal<Faults>({}) }
  const form = useFaultFocus(props.faults)
  const { busy, refusal, submit } = useBuild(props, onMade)
  const refused = refusal.value
  return (
    <Dialog title="Build image" wide firm={busy.value} onClose={onClose}>
      <form ref={form} class="form" onSubmit={(event) => void submit(event)}>
        <Fields {...props} />
        {refused && (
          <Failed
            refusal={refused}
            what={isUnknown(refused) ? 'It is unknown whether the build has begun.' : 'The build has not begun.'}
          />
        )}
        <p class="hint" role="status">
          {busy.value && 'Sending the Dockerfile and its files.'}
        </p>
        <div class="actions">
          <Button kind="main" type="submit" busy={busy.value}>
            Build image
          </Button>
          <Button off={busy.value} onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
