// The text of a new key, once. It is in this dialog and nowhere else, and gone when the dialog is closed by its button:
// nothing closes it, and nobody leaves the page, before the key was copied.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { IssuedKey } from '../../answers.ts'
import { lost } from '../../lost.ts'
import { minuteOf } from '../../moments.ts'
import { Button } from '../../parts/button.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { useHold } from '../../parts/hold.ts'

/** it asks for the key: what is typed as a part of a line stays in the history of the shell */
const line =
  'read -rs VITRINE_KEY && curl -H "Authorization: Bearer $VITRINE_KEY" "${VITRINE_URL:-http://127.0.0.1:8080}/v1/whoami"'

interface SecretProps {
  readonly issued: IssuedKey
  /** of the key that it takes over from, in milliseconds */
  readonly oldEndsAt?: number
  readonly onDone: () => void
}

/** it goes with the session, whoever has it or not: what cannot be held must be told of */
function useTelling({ id, name }: IssuedKey, isTaken: Signal<boolean>) {
  useEffect(
    () => () => {
      if (!isTaken.peek()) lost.value = { id, name }
    },
    [],
  )
}

const selectAll = (event: Event) => getSelection()?.selectAllChildren(event.currentTarget as Node)

function TryIt() {
  return (
    <details class="keys-try">
      <summary>Try it in a shell</summary>
      <pre>
        <code>{line}</code>
      </pre>
      <div class="actions">
        <Copy text={() => line} label="Copy the line" />
      </div>
      <p class="hint">
        It waits until you paste the key and press Enter, and tells what the key may do. <code>VITRINE_URL</code> is
        where callers reach Vitrine.
      </p>
    </details>
  )
}

function OldEnds({ at, now }: { readonly at: number; readonly now: number }) {
  if (at <= now) return <p>The old key does not work any more.</p>
  return <p>The old key still works until {minuteOf(at)}: move its callers over by then.</p>
}

export function Secret({ issued, oldEndsAt, onDone }: SecretProps) {
  const isCopied = useSignal(false)
  const tried = useSignal('')
  const remind = () => void (tried.value = 'The key is still here. Copy it first: it cannot be shown again.')
  useHold(true, remind)
  useTelling(issued, isCopied)
  return (
    <Dialog title={oldEndsAt === undefined ? 'Your new key' : 'The key that takes over'} firm onClose={remind}>
      <div class="form">
        <p>
          This is the only time that the key of <Foreign text={issued.name} /> is shown: only its hash is kept. Put it
          where its caller finds it.
        </p>
        <div class="keys-secret">
          <div class="mono" tabIndex={0} role="textbox" aria-readonly aria-label="The new key" onFocus={selectAll}>
            {issued.key}
          </div>
          <Copy text={() => issued.key} kind="plain" label="Copy the key" onCopied={() => (isCopied.value = true)} />
        </div>
        {oldEndsAt !== undefined && <OldEnds at={oldEndsAt} now={Date.parse(issued.createdAt)} />}
        <TryIt />
        <label class="box">
          <input
            type="checkbox"
            checked={isCopied.value}
            onChange={(event) => (isCopied.value = event.currentTarget.checked)}
          />
          <span>I have copied it.</span>
        </label>
        <p class="fault" role="alert">
          {tried.value}
        </p>
        <div class="actions">
          <Button kind="main" off={!isCopied.value} onClick={onDone}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
