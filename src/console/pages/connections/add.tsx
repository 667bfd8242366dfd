// The dialog that adds a hosted connection, and what came of it.
import { useSignal } from '@preact/signals'
import type { StoredConnection } from '../../answers.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { Failed } from '../../parts/states.tsx'
import { CameBack } from './came-back.tsx'
import { ClosedVault } from './closed-vault.tsx'
import { CredentialFields } from './credential-fields.tsx'
import { change, wish } from './draft.ts'
import { Done } from './done.tsx'
import { useKeyInHand } from './key-in-hand.ts'
import { useStoring } from './storing.ts'
import { connectionOf } from './wish.ts'

function Options() {
  const { linkage, perRequest } = wish.value
  return (
    <details class="connections-options">
      <summary>Options</summary>
      <label class="box">
        <input type="checkbox" checked={linkage} onChange={() => change({ linkage: !linkage })} />
        <span>Ask for linkages</span>
      </label>
      <p class="hint">Answers carry the ids of to-one relations, which the platform gives only when asked.</p>
      <label class="box">
        <input type="checkbox" checked={perRequest} onChange={() => change({ perRequest: !perRequest })} />
        <span>A token for each request</span>
      </label>
      <p class="hint">A token that leaks can then read nothing else. Each is signed anew.</p>
    </details>
  )
}

interface AddProps {
  readonly isTaken: (id: string) => boolean
  readonly onStored: (stored: StoredConnection) => void
  readonly onClose: () => void
}

function AddForm({ isTaken, onStored, onClose }: AddProps) {
  const inHand = useKeyInHand()
  const storing = useStoring({
    ...{ isNew: true, path: '/connections', key: inHand, bodyOf: connectionOf, isTaken, onStored },
  })
  const { box, faults, refusal, busy, touched, send } = storing
  const submit = (event: Event) => {
    event.preventDefault()
    void send()
  }
  return (
    <form ref={box} class="form" onSubmit={submit} noValidate>
      <CameBack />
      <TextField
        {...{ label: 'Id', mono: true, required: true, value: wish.value.id, fault: faults.value.id }}
        hint="Its name here, such as studio. Callers put it into their requests."
        onInput={(text) => {
          change({ id: text.trim() })
          touched('id')
        }}
      />
      <CredentialFields {...{ inHand, storing }} />
      <Options />
      {refusal.value && <Failed refusal={refusal.value} />}
      <div class="actions">
        <Button kind="main" type="submit" busy={busy.value}>
          {busy.value && wish.value.tried ? 'Asking the platform…' : 'Add connection'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}

interface AddDialogProps extends AddProps {
  readonly isClosed: boolean
  readonly onDone: (id: string) => void
}

export function AddDialog({ isClosed, onDone, ...props }: AddDialogProps) {
  const stored = useSignal<StoredConnection | undefined>(undefined)
  const done = stored.value
  const keep = (added: StoredConnection) => {
    stored.value = added
    props.onStored(added)
  }
  if (isClosed)
    return (
      <Dialog title="Add a connection" onClose={props.onClose}>
        <ClosedVault />
      </Dialog>
    )
  return (
    <Dialog title={done ? `${done.id} is stored` : 'Add a connection'} onClose={props.onClose}>
      {done ? <Done stored={done} onDone={() => onDone(done.id)} /> : <AddForm {...props} onStored={keep} />}
    </Dialog>
  )
}
