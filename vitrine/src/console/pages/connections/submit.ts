// Sends a form of a connection: each fault is shown at its field, and the first one gets the focus.
import { useComputed, useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { StoredConnection } from '../../answers.ts'
import { ask } from '../../../../../base/console/api.ts'
import { useAction } from '../../../../../base/console/load.ts'
import type { ApiRefusal } from '../../../../../base/console/refusal.ts'
import { type ConnectionDraft, type ConnectionFaults, faultsOf, type FieldName, missingOf } from './connection-draft.ts'
import { change, draft } from './form-state.ts'
import { useKeyUpload } from './key-upload.ts'

const fieldNames: readonly FieldName[] = ['id', 'keyId', 'issuerId', 'privateKey']
/** refusals that name no member, and are about one all the same */
const fieldsOfCodes: Readonly<Record<string, FieldName>> = {
  connection_exists: 'id',
  credential_refused: 'keyId',
  private_key_unusable: 'privateKey',
}

const fieldOf = ({ code, param }: ApiRefusal): FieldName | undefined =>
  fieldsOfCodes[code] ?? fieldNames.find((one) => one === param)

interface SubmissionOptions<Stored> {
  readonly isNew: boolean
  readonly path: string
  readonly bodyOf: (draft: ConnectionDraft, privateKey: string) => object
  readonly isTaken: (id: string) => boolean
  readonly onStored: (stored: Stored) => void
}

export type Submission = ReturnType<typeof useSubmission>

export function useSubmission<Stored extends StoredConnection>(options: SubmissionOptions<Stored>) {
  const { isNew, path, bodyOf, isTaken, onStored } = options
  const upload = useKeyUpload()
  const stored = useSignal<Stored | undefined>(undefined)
  const form = useRef<HTMLFormElement>(null)
  const reported = useSignal<ConnectionFaults>({})
  const { busy, refusal, run } = useAction()
  const faults = useComputed(() => ({ ...reported.value, ...faultsOf(draft.value, isTaken) }))
  /** a field that is changed loses its reported fault */
  const touched = (name: FieldName) => {
    const { [name]: _, ...rest } = reported.peek()
    reported.value = rest
  }
  /** of a text field for one of the names */
  const field = (name: 'id' | 'keyId' | 'issuerId') => ({
    mono: true,
    required: true,
    value: draft.value[name],
    fault: faults.value[name],
    onInput(text: string) {
      change({ [name]: text.trim() })
      touched(name)
    },
  })
  const focusFault = () =>
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"]')?.focus(),
    )
  const atField = (refused: ApiRefusal): boolean => {
    const name = fieldOf(refused)
    if (name === 'privateKey') upload.refuse(refused.message)
    else if (name) reported.value = { [name]: refused.message }
    focusFault()
    return name !== undefined
  }
  const send = async () => {
    if (busy.peek()) return
    const privateKey = upload.text()
    reported.value = missingOf(draft.peek(), privateKey !== undefined, isNew)
    refusal.value = undefined
    if (privateKey === undefined || Object.keys(faults.peek()).length > 0) {
      focusFault()
      return
    }
    const body = bodyOf(draft.peek(), privateKey)
    const answer = await run(() => ask<Stored>(path, { method: 'POST', body }), atField)
    if (!answer) return
    upload.clear()
    stored.value = answer
    onStored(answer)
  }
  return { upload, stored, form, field, faults, refusal, busy, touched, send }
}
