// One key beside the listing: all that is known of it, and what can be done with it.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { IssuedKey, Key, RevokedKey } from '../../answers.ts'
import { ask, at } from '../../api.ts'
import { useLoad } from '../../load.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Foreign, plainText } from '../../parts/foreign.tsx'
import { Link } from '../../parts/link.tsx'
import { Moment } from '../../parts/moment.tsx'
import { tell } from '../../parts/notices.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Failed, Waiting } from '../../parts/states.tsx'
import { tellUntold } from '../../untold.ts'
import { Facts, type Surroundings } from './facts.tsx'
import { Reroll } from './reroll.tsx'

interface KeyPanelProps {
  readonly id: string
  /** as the listing has it */
  readonly listed: Key | undefined
  readonly surroundings: Surroundings
  readonly onRead: (key: Key) => void
  readonly onMade: (made: IssuedKey) => void
  /** all of them are to be read anew */
  readonly onUnknown: () => void
  readonly onClose: () => void
}

interface RevokeProps {
  readonly item: Key
  readonly onDone: () => void
  readonly onClose: () => void
}

function Revoke({ item, onDone, onClose }: RevokeProps) {
  const act = async () => {
    const revoked = await ask<RevokedKey>(at('/keys', item.id), { method: 'DELETE' })
    const name = plainText(item.name)
    const deed = revoked.alreadyRevoked ? `${name} had been revoked before` : `${name} is revoked`
    if (!tellUntold(deed, revoked)) tell(`${deed}.`)
    onDone()
  }
  return (
    <Confirm title="Revoke key" name={item.name} orId={item.id} deed="Revoke key" act={act} onClose={onClose}>
      <p>
        At once and for good: whoever sends this key is refused (401) from now on, and nothing brings it back. To move
        callers over without an error in between, reroll it instead.
      </p>
      <p>
        Last use: <Moment iso={item.lastUsedAt} />. Id: <code>{item.id}</code>
      </p>
    </Confirm>
  )
}

interface DeedsProps {
  readonly item: Key
  readonly isHandedOver: boolean
  readonly onChoose: (deed: 'reroll' | 'revoke') => void
}

function Deeds({ item, isHandedOver, onChoose }: DeedsProps) {
  return (
    <>
      {item.state === 'active' && (
        <div class="actions">
          <Button off={isHandedOver} onClick={() => onChoose('reroll')}>
            Reroll key
          </Button>
          <Button kind="danger" onClick={() => onChoose('revoke')}>
            Revoke key
          </Button>
        </div>
      )}
      {item.state === 'active' && isHandedOver && (
        <p class="hint">
          It has handed over already: reroll the key that took over. If nobody got that one, revoke it first.
        </p>
      )}
      <p class="actions">
        <Link to="/audit" names={{ target: item.id }}>
          In the audit
        </Link>
        <Link to="/access" names={{ key: item.id }}>
          What it may see
        </Link>
      </p>
    </>
  )
}

/** the key as it is now, told to the listing too */
function useKey({ id, listed, onRead }: KeyPanelProps) {
  const { load, again } = useLoad((signal) => ask<Key>(at('/keys', id), { signal }), [id])
  const { value, refusal, busy } = load.value
  useEffect(() => {
    if (value) onRead(value)
  }, [value])
  // another panel is opened without the first being closed
  useEffect(() => document.querySelector<HTMLElement>('.panel')?.focus(), [id])
  return { item: value?.id === id ? value : listed, refusal, busy, again }
}

export function KeyPanel(props: KeyPanelProps) {
  const { id, surroundings, onMade, onUnknown, onClose } = props
  const { item, refusal, busy, again } = useKey(props)
  const open = useSignal<{ readonly deed: 'reroll' | 'revoke'; readonly item: Key } | undefined>(undefined)
  const close = () => {
    open.value = undefined
    again()
  }
  const heir = surroundings.heirsOf(id).find(({ state }) => state === 'active')
  const { deed, item: old } = open.value ?? {}
  return (
    <Panel title={item ? <Foreign text={item.name} /> : 'Key'} onClose={onClose}>
      {item && <Facts item={item} surroundings={surroundings} />}
      {!item && busy && <Waiting rows={8} what="the key" />}
      {refusal && !busy && <Failed refusal={refusal} again={again} />}
      {item && (
        <Deeds item={item} isHandedOver={heir !== undefined} onChoose={(deed) => (open.value = { deed, item })} />
      )}
      {/* in the panel: what stands beside it is hidden where there is little room */}
      {deed === 'reroll' && old && <Reroll {...{ old, onMade, onUnknown }} onClose={close} />}
      {deed === 'revoke' && old && <Revoke item={old} onClose={() => (open.value = undefined)} onDone={close} />}
    </Panel>
  )
}
