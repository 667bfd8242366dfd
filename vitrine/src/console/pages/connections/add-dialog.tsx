// The dialog that adds a hosted connection.
import type { StoredConnection } from '../../answers.ts'
import { Checkbox, TextField } from '../../../../../base/console/parts/field.tsx'
import { connectionOf } from './connection-draft.ts'
import { CredentialDialog } from './credential-dialog.tsx'
import { change, draft } from './form-state.ts'
import { useSubmission } from './submit.ts'

function Options() {
  const { linkage, perRequest } = draft.value
  return (
    <details class="connections-options">
      <summary>Options</summary>
      <Checkbox label="Include linkages" checked={linkage} onChange={(wanted) => change({ linkage: wanted })} />
      <p class="hint">
        Every read asks for the IDs of all related resources. Otherwise only the routes do whose rows say nothing
        without.
      </p>
      <Checkbox
        label="One token per request"
        checked={perRequest}
        onChange={(wanted) => change({ perRequest: wanted })}
      />
      <p class="hint">Each request is signed with its own token, so that a leaked token can read nothing else.</p>
    </details>
  )
}

interface AddDialogProps {
  readonly hasMasterKey: boolean
  readonly isTaken: (id: string) => boolean
  readonly onStored: (stored: StoredConnection) => void
  readonly onDone: (id: string) => void
  readonly onClose: () => void
}

export function AddDialog({ hasMasterKey, isTaken, onStored, onDone, onClose }: AddDialogProps) {
  const submission = useSubmission({ isNew: true, path: '/connections', bodyOf: connectionOf, isTaken, onStored })
  const id = submission.stored.value?.id
  const hint = 'A name for this connection, such as studio. Callers use it in their requests.'
  return (
    <CredentialDialog
      title={id === undefined ? 'Add a connection' : `${id} added`}
      hasMasterKey={hasMasterKey}
      submission={submission}
      action="Add connection"
      before={<TextField label="ID" hint={hint} {...submission.field('id')} />}
      after={<Options />}
      onDone={() => onDone(id ?? '')}
      onClose={onClose}
    />
  )
}
