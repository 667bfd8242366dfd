// One key beside the listing: what is known of it, and what can be done with it.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Connection, IssuedKey, Key, RevokedKey } from '../../answers.ts'
import { ask, at } from '../../../../../base/console/api.ts'
import type { UsedListing } from '../../../../../base/console/listing.ts'
import { useLoad } from '../../../../../base/console/load.ts'
import { Allowed } from '../../../../../base/console/parts/allowed.tsx'
import { Button, Link } from '../../../../../base/console/parts/controls.tsx'
import { Confirm } from '../../../../../base/console/parts/dialog.tsx'
import { notify } from '../../../../../base/console/parts/notices.tsx'
import { Panel } from '../../../../../base/console/parts/panel.tsx'
import { plainText, RelativeTime, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { Failed, Waiting } from '../../../../../base/console/parts/states.tsx'
import { warnOfRevocation } from '../../revocation-warning.ts'
import { KeyFacts } from './key-facts.tsx'
import { RerollDialog } from './reroll-dialog.tsx'

interface RevokeProps {
  readonly item: Key
  readonly onDone: () => void
  readonly onClose: () => void
}

function RevokeDialog({ item: { id, name, lastUsedAt }, onDone, onClose }: RevokeProps) {
  const act = async () => {
    const revoked = await ask<RevokedKey>(at('/keys', id), { method: 'DELETE' })
    const done = `${plainText(name)} was ${revoked.alreadyRevoked ? 'already revoked' : 'revoked'}`
    if (!warnOfRevocation(done, revoked)) notify(`${done}.`)
    onDone()
  }
  return (
    <Confirm title="Revoke key" name={name} orId={id} action="Revoke key" act={act} onClose={onClose}>
      <p>
        Requests with this key are rejected (401) immediately. This cannot be undone. To move callers over without
        errors, reroll the key instead.
      </p>
      <p>
        Last used: <RelativeTime iso={lastUsedAt} />. ID: <code>{id}</code>
      </p>
    </Confirm>
  )
}

interface ActionsProps {
  readonly item: Key
  readonly isReplaced: boolean
  readonly onChoose: (action: 'reroll' | 'revoke') => void
}

function Actions({ item: { id, state }, isReplaced, onChoose }: ActionsProps) {
  return (
    <>
      {state === 'active' && (
        <Allowed operation="revokeKey" otherwise="Changing keys needs the role of a key manager.">
          <div class="actions">
            <Button off={isReplaced} onClick={() => onChoose('reroll')}>
              Reroll key
            </Button>
            <Button kind="danger" onClick={() => onChoose('revoke')}>
              Revoke key
            </Button>
          </div>
        </Allowed>
      )}
      {state === 'active' && isReplaced && (
        <p class="hint">
          This key already has a replacement: reroll that one instead. If nobody has its text, revoke it first.
        </p>
      )}
      <p class="actions">
        <Link to="/audit" names={{ target: id }}>
          View in audit log
        </Link>
        <Link to="/access" names={{ key: id }}>
          What it can read
        </Link>
      </p>
    </>
  )
}

interface KeyPanelProps {
  readonly id: string
  readonly keys: UsedListing<Key>
  readonly connections: UsedListing<Connection>
  readonly onMade: (made: IssuedKey) => void
  readonly onClose: () => void
}

function useKey({ id, keys }: KeyPanelProps) {
  const { load, again } = useLoad((signal) => ask<Key>(at('/keys', id), { signal }), [id])
  const { value, refusal, busy } = load.value
  useEffect(() => {
    if (value) keys.put(value)
  }, [value])
  // another key may open without the first being closed
  useEffect(() => document.querySelector<HTMLElement>('.panel')?.focus(), [id])
  const listed = keys.listing.value.items.find((one) => one.id === id)
  return { item: value?.id === id ? value : listed, refusal, busy, again }
}

export function KeyPanel(props: KeyPanelProps) {
  const { id, keys, connections, onMade, onClose } = props
  const { item, refusal, busy, again } = useKey(props)
  const dialog = useSignal<{ readonly action: 'reroll' | 'revoke'; readonly item: Key } | undefined>(undefined)
  const close = () => void (dialog.value = undefined)
  const closeAndRead = () => {
    close()
    again()
  }
  const isReplaced = keys.listing.value.items.some(({ replaces, state }) => replaces === id && state === 'active')
  const { action, item: old } = dialog.value ?? {}
  return (
    <Panel title={item ? <UntrustedText text={item.name} /> : 'Key'} onClose={onClose}>
      {item && <KeyFacts item={item} keys={keys.listing.value} connections={connections.listing.value} />}
      {!item && busy && <Waiting rows={8} what="the key" />}
      {refusal && !busy && <Failed refusal={refusal} again={again} />}
      {item && (
        <Actions item={item} isReplaced={isReplaced} onChoose={(chosen) => (dialog.value = { action: chosen, item })} />
      )}
      {/* in the panel: what is beside it is hidden on a small screen */}
      {action === 'reroll' && old && (
        <RerollDialog old={old} onMade={onMade} onUnknown={keys.again} onClose={closeAndRead} />
      )}
      {action === 'revoke' && old && <RevokeDialog item={old} onClose={close} onDone={closeAndRead} />}
    </Panel>
  )
}
