// The dialog that puts another signing key in the place of a hosted connection's.
import { useSignal } from '@preact/signals'
import type { Connection, ReplacedConnection, StoredConnection } from '../../answers.ts'
import { at } from '../../api.ts'
import { counted } from '../../numbers.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { tell } from '../../parts/notices.tsx'
import { Failed } from '../../parts/states.tsx'
import { tellUntold } from '../../untold.ts'
import { CameBack } from './came-back.tsx'
import { ClosedVault } from './closed-vault.tsx'
import { CredentialFields } from './credential-fields.tsx'
import { Done } from './done.tsx'
import { wish } from './draft.ts'
import { type KeyInHand, useKeyInHand } from './key-in-hand.ts'
import { useStoring } from './storing.ts'
import { credentialOf } from './wish.ts'

/** what follows from what is about to be sent, where it is more than a new key */
function Follows({ now, inHand }: { readonly now: Connection; readonly inHand: KeyInHand }) {
  const { ofTeam, issuerId, keyId } = wish.value
  const shown = inHand.shown.value
  const isSame = shown.state === 'usable' && shown.found.fingerprint === now.fingerprint
  const isOther = ofTeam
    ? issuerId !== '' && issuerId !== now.issuerId
    : now.issuerId !== null || (keyId !== '' && keyId !== now.keyId)
  return (
    <div role="status" class="connections-notes">
      {isSame && <p class="connections-same">This is the key that it has now.</p>}
      {isOther && (
        <p class="connections-same">
          {ofTeam ? 'Another issuer' : 'Another individual key'} may be another account: callers start their walks
          again, since cursors of the old one are refused.
        </p>
      )}
    </div>
  )
}

interface ReplaceProps {
  readonly now: Connection
  readonly onStored: (stored: ReplacedConnection) => void
  readonly onClose: () => void
}

function ReplaceForm({ now, onStored, onClose }: ReplaceProps) {
  const inHand = useKeyInHand()
  const storing = useStoring({
    ...{ isNew: false, path: at('/connections', now.id, '/credentials'), key: inHand },
    ...{ bodyOf: credentialOf, isTaken: () => false, onStored },
  })
  const { box, refusal, busy, send } = storing
  const submit = (event: Event) => {
    event.preventDefault()
    void send()
  }
  return (
    <form ref={box} class="form" onSubmit={submit} noValidate>
      <CameBack />
      <p>
        It has <span class="mono">{now.keyId}</span> now, which serves until the new one is stored.
      </p>
      <CredentialFields {...{ inHand, storing, own: now.id }} />
      <Follows {...{ now, inHand }} />
      {refusal.value && <Failed refusal={refusal.value} />}
      <div class="actions">
        <Button kind="main" type="submit" busy={busy.value}>
          {busy.value && wish.value.tried ? 'Asking the platform…' : 'Replace credentials'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}

export function ReplaceDialog({ isClosed, ...props }: ReplaceProps & { readonly isClosed: boolean }) {
  const stored = useSignal<StoredConnection | undefined>(undefined)
  const { now, onClose } = props
  const keep = (replaced: ReplacedConnection) => {
    stored.value = replaced
    const ended = replaced.endedKeys.length
    if (ended > 0)
      tell(
        `It is another account: ${counted(ended, 'key')} that named ${now.id} ${ended === 1 ? 'does' : 'do'} not read it.`,
      )
    tellUntold(`${now.id} has a new key`, replaced)
    props.onStored(replaced)
  }
  const body = stored.value ? (
    <Done stored={stored.value} onDone={onClose} />
  ) : (
    <ReplaceForm {...props} onStored={keep} />
  )
  return (
    <Dialog title={stored.value ? `${now.id} has a new key` : `Replace credentials of ${now.id}`} onClose={onClose}>
      {isClosed ? <ClosedVault /> : body}
    </Dialog>
  )
}
