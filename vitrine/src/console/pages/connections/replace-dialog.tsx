// The dialog that replaces the signing key of a hosted connection.
import type { Connection, ReplacedConnection } from '../../answers.ts'
import { at } from '../../../../../base/console/api.ts'
import { counted } from '../../../../../base/console/format.ts'
import { notify } from '../../../../../base/console/parts/notices.tsx'
import { warnOfRevocation } from '../../revocation-warning.ts'
import { credentialOf } from './connection-draft.ts'
import { CredentialDialog } from './credential-dialog.tsx'
import { draft } from './form-state.ts'
import type { KeyUpload } from './key-upload.ts'
import { useSubmission } from './submit.ts'

function Consequences({ now, upload }: { readonly now: Connection; readonly upload: KeyUpload }) {
  const { ofTeam, issuerId, keyId } = draft.value
  const shown = upload.shown.value
  const isSame = shown.state === 'usable' && shown.found.fingerprint === now.fingerprint
  const isOther = ofTeam
    ? issuerId !== '' && issuerId !== now.issuerId
    : now.issuerId !== null || (keyId !== '' && keyId !== now.keyId)
  return (
    <div role="status" class="connections-notes">
      {isSame && <p class="connections-note">This is its current key.</p>}
      {isOther && (
        <p class="connections-note">
          {ofTeam ? 'Another issuer' : 'Another individual key'} may belong to another account. Cursors of the old
          account become invalid, so callers must restart their paging.
        </p>
      )}
    </div>
  )
}

interface ReplaceDialogProps {
  readonly hasMasterKey: boolean
  readonly now: Connection
  readonly onStored: (stored: ReplacedConnection) => void
  readonly onClose: () => void
}

export function ReplaceDialog({ hasMasterKey, now: { id, keyId }, now, onStored, onClose }: ReplaceDialogProps) {
  const submission = useSubmission({
    isNew: false,
    path: at('/connections', id, '/credentials'),
    bodyOf: credentialOf,
    isTaken: () => false,
    onStored(replaced: ReplacedConnection) {
      const ended = replaced.endedKeys.length
      if (ended > 0) notify(`The account changed: ${counted(ended, 'key')} that named ${id} can no longer read it.`)
      warnOfRevocation(`${id} has a new key`, replaced)
      onStored(replaced)
    },
  })
  const current = (
    <p>
      The current key <span class="mono">{keyId}</span> stays in use until the new one is saved.
    </p>
  )
  return (
    <CredentialDialog
      title={submission.stored.value ? `${id} has a new key` : `Replace credentials of ${id}`}
      hasMasterKey={hasMasterKey}
      submission={submission}
      own={id}
      action="Replace credentials"
      before={current}
      after={<Consequences now={now} upload={submission.upload} />}
      onDone={onClose}
      onClose={onClose}
    />
  )
}
