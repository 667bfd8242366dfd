// The form that adding and replacing share: the private key, the IDs that belong to it, and whether it is checked first.
import { useSignal, useSignalEffect } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { Checkbox, ChoiceField, TextField } from '../../../../../base/console/parts/field.tsx'
import { Dialog } from '../../../../../base/console/parts/dialog.tsx'
import { Failed } from '../../../../../base/console/parts/states.tsx'
import { Stored } from './check-result.tsx'
import { change, draft, wasInterrupted } from './form-state.ts'
import { KeyField } from './key-field.tsx'
import { keyIdIn } from './key-file.ts'
import type { KeyUpload } from './key-upload.ts'
import type { Submission } from './submit.ts'

/** the ID in the name of the file, which fills the field unless it was typed in */
function useNamedId(upload: KeyUpload) {
  const filled = useSignal('')
  const inName = useSignal<string | undefined>(undefined)
  useSignalEffect(() => {
    const now = upload.shown.value
    const named = now.state === 'none' ? undefined : keyIdIn(now.file.name)
    inName.value = named
    const { keyId } = draft.peek()
    if (named !== undefined && (keyId === '' || keyId === filled.peek())) {
      filled.value = named
      change({ keyId: named })
    }
  })
  return inName.value
}

function KeyIdField({ upload, field }: Submission) {
  const inName = useNamedId(upload)
  const { keyId } = draft.value
  const isOther = inName !== undefined && keyId !== '' && inName !== keyId
  const hint = isOther ? (
    <>
      The file name says <code>{inName}</code>.{' '}
      <Button kind="quiet" onClick={() => change({ keyId: inName })}>
        Use it
      </Button>
    </>
  ) : (
    'Such as 2X9R4HXF34. It is also in the file name.'
  )
  return <TextField label="Key ID" hint={hint} {...field('keyId')} />
}

function KeyTypeField({ touched }: Submission) {
  const { ofTeam } = draft.value
  return (
    <ChoiceField
      label="Key type"
      value={ofTeam ? 'team' : 'individual'}
      choices={{ team: 'Team key', individual: 'Individual key' }}
      hint={ofTeam ? 'Belongs to the whole account.' : 'Belongs to one person and has no issuer ID.'}
      onChoose={(chosen) => {
        change({ ofTeam: chosen === 'team' })
        touched('issuerId')
      }}
    />
  )
}

function CheckFirst() {
  const { checked } = draft.value
  return (
    <div>
      <Checkbox
        label="Check the key before saving"
        checked={checked}
        aria-describedby="connections-check-first"
        onChange={(wanted) => change({ checked: wanted })}
      />
      <p class="hint" id="connections-check-first">
        {checked
          ? 'Makes one platform call. A key that the platform rejects is not saved.'
          : 'The key is saved unchecked. The first read shows whether it works.'}
      </p>
    </div>
  )
}

interface CredentialFormProps {
  readonly submission: Submission
  /** the connection that has a key already */
  readonly own?: string
  readonly action: string
  readonly before: ComponentChildren
  readonly after: ComponentChildren
  readonly onClose: () => void
}

function CredentialForm({ submission, own, action, before, after, onClose }: CredentialFormProps) {
  const { upload, form, field, faults, refusal, busy, touched, send } = submission
  useSignalEffect(() => {
    if (upload.shown.value.state !== 'none') touched('privateKey')
  })
  const submit = (event: Event) => {
    event.preventDefault()
    void send()
  }
  return (
    <form ref={form} class="form" onSubmit={submit} noValidate>
      {wasInterrupted.value && (
        <p class="connections-interrupted" role="status">
          Your session ended before this was saved. Your input was kept, except the private key: provide it again.
        </p>
      )}
      {before}
      <KeyField upload={upload} fault={faults.value.privateKey} own={own} />
      <div class="pair">
        <KeyIdField {...submission} />
        <KeyTypeField {...submission} />
      </div>
      {draft.value.ofTeam && (
        <TextField label="Issuer ID" hint="Such as 57246542-96fe-1a63-e053-0824d0110001." {...field('issuerId')} />
      )}
      <CheckFirst />
      {after}
      {refusal.value && <Failed refusal={refusal.value} />}
      <div class="actions">
        <Button kind="main" type="submit" busy={busy.value}>
          {busy.value && draft.value.checked ? 'Checking the key…' : action}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}

/** without a master key nothing can be encrypted: says so before the form is filled in, with what to do */
function NoMasterKey() {
  return (
    <div class="connections-no-key">
      <p>
        This service has no master key, so it cannot store credentials. Connections in the settings file work without
        one. To add connections here:
      </p>
      <ol>
        <li>
          Create a master key: <code>vitrine vault new-key --id k1 &gt; master-keys.txt</code>. Keep a copy in a safe
          place.
        </li>
        <li>
          Name the file in the settings: <code>&quot;masterKeysFile&quot;: &quot;master-keys.txt&quot;</code>.
        </li>
        <li>Restart Vitrine and reload this page.</li>
      </ol>
    </div>
  )
}

interface CredentialDialogProps extends CredentialFormProps {
  readonly title: string
  readonly hasMasterKey: boolean
  readonly onDone: () => void
}

export function CredentialDialog({ title, hasMasterKey, onDone, ...form }: CredentialDialogProps) {
  const stored = form.submission.stored.value
  return (
    <Dialog title={title} onClose={form.onClose}>
      {!hasMasterKey && <NoMasterKey />}
      {hasMasterKey && stored && <Stored stored={stored} onDone={onDone} />}
      {hasMasterKey && !stored && <CredentialForm {...form} />}
    </Dialog>
  )
}
