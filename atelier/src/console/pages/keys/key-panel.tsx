// One key beside the listing: what is known of it, and its revocation.
import { useSignal } from '@preact/signals'
import { queryOf, send } from '../../../../../base/console/api.ts'
import { nowMs } from '../../../../../base/console/clock.ts'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { Badge, Facts, plainText, RelativeTime, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { notify } from '../../../../../base/console/parts/notices.tsx'
import { Panel } from '../../../../../base/console/parts/panel.tsx'
import type { Tone } from '../../../../../base/console/parts/tone.ts'
import type { Key } from '../../answers.ts'
import { ConfirmDialog } from '../../confirm-dialog.tsx'
import { type KeyState, scopes, stateOf } from './key-state.ts'

const tones: Readonly<Record<KeyState, Tone>> = { active: 'good', expired: 'idle', revoked: 'bad' }

export function State({ item }: { readonly item: Key }) {
  const state = stateOf(item, nowMs())
  return <Badge tone={tones[state]}>{state}</Badge>
}

interface RevokeProps {
  readonly item: Key
  readonly onDone: () => void
  readonly onClose: () => void
}

function RevokeDialog({ item: { id, name, lastUsedAt }, onDone, onClose }: RevokeProps) {
  const act = async () => {
    await send(`/api-keys${queryOf({ id })}`, { method: 'DELETE' })
    notify(`Key ${plainText(name)} was revoked.`)
    onClose()
    onDone()
  }
  return (
    <ConfirmDialog title="Revoke key" action="Revoke key" act={act} onClose={onClose}>
      <p>
        Requests with <UntrustedText text={name} /> are rejected (401) from now on; its commands, transfers and SSH
        sessions end. This cannot be undone.
      </p>
      <p>
        Last used: <RelativeTime iso={lastUsedAt} />
      </p>
    </ConfirmDialog>
  )
}

function Scopes({ granted }: { readonly granted: readonly string[] }) {
  if (granted.length === scopes.length) return <>all</>
  return (
    <ul>
      {granted.map((scope) => (
        <li key={scope}>
          <code>{scope}</code>
        </li>
      ))}
    </ul>
  )
}

interface KeyPanelProps {
  readonly item: Key
  readonly onRevoked: () => void
  readonly onClose: () => void
}

export function KeyPanel({ item, onRevoked, onClose }: KeyPanelProps) {
  const isRevoking = useSignal(false)
  const { id, name, prefix, createdAt, createdBy, lastUsedAt, expiresAt, revokedAt } = item
  return (
    <Panel title={<UntrustedText text={name} />} onClose={onClose}>
      <Facts
        of={{
          State: <State item={item} />,
          ID: <span class="mono">{id}</span>,
          'Begins with': <span class="mono">{prefix}</span>,
          Scopes: <Scopes granted={item.scopes} />,
          Created: <RelativeTime iso={createdAt} />,
          'Created by': <UntrustedText text={createdBy} />,
          'Last used': <RelativeTime iso={lastUsedAt} />,
          Expires: <RelativeTime iso={expiresAt} />,
          ...(revokedAt !== null && { Revoked: <RelativeTime iso={revokedAt} /> }),
        }}
      />
      {revokedAt === null && (
        <div class="actions">
          <Button kind="danger" onClick={() => (isRevoking.value = true)}>
            Revoke key
          </Button>
        </div>
      )}
      {isRevoking.value && <RevokeDialog item={item} onDone={onRevoked} onClose={() => (isRevoking.value = false)} />}
    </Panel>
  )
}
