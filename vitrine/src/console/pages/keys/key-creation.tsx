// While a key is created: its text comes in the answer, once, so the page cannot be left before.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { IssuedKey } from '../../answers.ts'
import { useLeaveGuard } from '../../../../../base/console/leave-guard.ts'
import { useAction } from '../../../../../base/console/load.ts'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { Failed } from '../../../../../base/console/parts/states.tsx'
import { type ApiRefusal, isUnknown } from '../../../../../base/console/refusal.ts'
import { unsavedKey } from '../../unsaved-key.ts'

interface CreationOptions {
  /** called if the page is still open */
  readonly onMade: (made: IssuedKey) => void
  /** a key may have been created, and no answer said so */
  readonly onUnknown: () => void
  readonly atField: (refusal: ApiRefusal) => boolean
}

export type KeyCreation = ReturnType<typeof useKeyCreation>

export function useKeyCreation({ onMade, onUnknown, atField }: CreationOptions) {
  const { busy, refusal, run } = useAction()
  const triedToLeave = useSignal(false)
  const isThere = useRef(true)
  useLeaveGuard(busy.value, () => void (triedToLeave.value = true))
  useEffect(
    () => () => {
      isThere.current = false
    },
    [],
  )
  const create = async (act: () => Promise<IssuedKey>) => {
    const made = await run(act, atField)
    const refused = refusal.peek()
    if (refused && isUnknown(refused)) onUnknown()
    if (!made) return
    triedToLeave.value = false
    if (isThere.current) onMade(made)
    else unsavedKey.value = { id: made.id, name: made.name }
  }
  return { busy, refusal, triedToLeave, create }
}

interface FootProps {
  readonly creation: KeyCreation
  readonly action: string
  readonly notDone: string
  /** shown if it is unknown whether it was done */
  readonly unknown: string
  readonly onClose: () => void
}

export function Foot({ creation: { busy, refusal, triedToLeave }, action, notDone, unknown, onClose }: FootProps) {
  const refused = refusal.value
  const isOpen = refused !== undefined && isUnknown(refused)
  return (
    <>
      {refused && <Failed refusal={refused} what={isOpen ? unknown : notDone} />}
      {isOpen && (
        <p class="keys-warning">
          Check the list of keys before you try again. If the key is there, nobody has its text: revoke it.
        </p>
      )}
      <p class={triedToLeave.value ? 'fault' : 'hint'} role="status">
        {busy.value && 'Creating the key. It is shown here once: stay on this page until it appears.'}
      </p>
      <div class="actions">
        <Button kind="main" type="submit" busy={busy.value}>
          {action}
        </Button>
        <Button off={busy.value} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </>
  )
}
