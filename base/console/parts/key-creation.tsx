// While a key is created: its text comes in the answer, once, so the page cannot be left before.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useLeaveGuard } from '../leave-guard.ts'
import { useAction } from '../load.ts'
import { Button } from './controls.tsx'
import { Failed } from './states.tsx'
import { type ApiRefusal, isUnknown } from '../refusal.ts'
import { unsavedKey, type UnsavedKey } from '../unsaved-key.tsx'

interface CreationOptions<T> {
  /** called if the page is still open */
  readonly onMade: (made: T) => void
  /** a key may have been created, and no answer said so */
  readonly onUnknown: () => void
  readonly atField: (refusal: ApiRefusal) => boolean
}

export function useKeyCreation<T extends UnsavedKey>({ onMade, onUnknown, atField }: CreationOptions<T>) {
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
  const create = async (act: () => Promise<T>) => {
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
  readonly creation: Omit<ReturnType<typeof useKeyCreation>, 'create'>
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
        <p class="caution">
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
