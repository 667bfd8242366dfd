// While a key is made: its text comes in the answer, once, so nobody goes away before the answer is there.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { IssuedKey } from '../../answers.ts'
import { lost } from '../../lost.ts'
import { Button } from '../../parts/button.tsx'
import { useHold } from '../../parts/hold.ts'
import { Failed } from '../../parts/states.tsx'
import { isUnknown, type Refusal } from '../../refusal.ts'

/** what is to be said of it; `take` gives the key on, where there is still somebody to see it */
export function useMaking(busy: boolean, take: (made: IssuedKey) => void) {
  const tried = useSignal(false)
  const isThere = useRef(true)
  useHold(busy, () => void (tried.value = true))
  useEffect(
    () => () => {
      isThere.current = false
    },
    [],
  )
  const onMade = (made: IssuedKey) => {
    tried.value = false
    if (isThere.current) take(made)
    else lost.value = { id: made.id, name: made.name }
  }
  return { onMade, isTried: tried.value }
}

interface NotMadeProps {
  readonly refusal: Refusal
  readonly what: string
  /** where nobody knows whether it was made */
  readonly whetherWhat: string
}

function NotMade({ refusal, what, whetherWhat }: NotMadeProps) {
  if (!isUnknown(refusal)) return <Failed refusal={refusal} what={what} />
  return (
    <>
      <Failed refusal={refusal} what={whetherWhat} />
      <p class="keys-warned">
        Look into the list before you try again. If it is there, nobody has its text: revoke it.
      </p>
    </>
  )
}

interface FootProps extends Omit<NotMadeProps, 'refusal'> {
  readonly deed: string
  readonly busy: boolean
  readonly refusal: Refusal | undefined
  /** somebody has tried to go away meanwhile */
  readonly isTried: boolean
  readonly onClose: () => void
}

/** of a form that makes a key: what came of it, and its buttons */
export function Foot({ deed, busy, refusal, isTried, onClose, ...words }: FootProps) {
  return (
    <>
      {refusal && <NotMade refusal={refusal} {...words} />}
      <p class={isTried ? 'fault' : 'hint'} role="status">
        {busy && 'The key is being made. Its text comes here, once: stay until it is here.'}
      </p>
      <div class="actions">
        <Button kind="main" type="submit" busy={busy}>
          {deed}
        </Button>
        <Button off={busy} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </>
  )
}
