// The text of a new key, once. It is in this dialog and nowhere else: the dialog does not close, and the page cannot be left, before
// the key was copied.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { IssuedKey } from '../../answers.ts'
import { useLeaveGuard } from '../../../../../base/console/leave-guard.ts'
import { Button, Copy } from '../../../../../base/console/parts/controls.tsx'
import { Checkbox } from '../../../../../base/console/parts/field.tsx'
import { Dialog } from '../../../../../base/console/parts/dialog.tsx'
import { UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { minuteOf } from '../../../../../base/console/format.ts'
import { unsavedKey } from '../../unsaved-key.ts'

/** it asks for the key: what is typed as a part of a command stays in the history of the shell */
const command =
  'read -rs VITRINE_KEY && curl -H "Authorization: Bearer $VITRINE_KEY" "${VITRINE_URL:-http://127.0.0.1:8080}/v1/whoami"'

const selectAll = (event: Event) => getSelection()?.selectAllChildren(event.currentTarget as Node)

function TryIt() {
  return (
    <details class="keys-try">
      <summary>Try it in a shell</summary>
      <pre>
        <code>{command}</code>
      </pre>
      <div class="actions">
        <Copy text={() => command} label="Copy command" />
      </div>
      <p class="hint">
        The command waits until you paste the key and press Enter, then prints what the key can read.{' '}
        <code>VITRINE_URL</code> is the address where callers reach Vitrine.
      </p>
    </details>
  )
}

const oldKeyText = (endsAt: number, now: number): string =>
  endsAt <= now
    ? 'The old key no longer works.'
    : `The old key works until ${minuteOf(endsAt)}: move its callers by then.`

interface SecretDialogProps {
  readonly issued: IssuedKey
  /** of the key that it replaces, in milliseconds */
  readonly oldEndsAt?: number
  readonly onDone: () => void
}

export function SecretDialog({ issued: { id, name, key, createdAt }, oldEndsAt, onDone }: SecretDialogProps) {
  const isCopied = useSignal(false)
  const warning = useSignal('')
  const warn = () => void (warning.value = 'Copy the key first: it cannot be shown again.')
  useLeaveGuard(true, warn)
  // the session may end all the same
  useEffect(
    () => () => {
      if (!isCopied.peek()) unsavedKey.value = { id, name }
    },
    [],
  )
  return (
    <Dialog title={oldEndsAt === undefined ? 'Your new key' : 'Your replacement key'} firm onClose={warn}>
      <div class="form">
        <p>
          This is the only time that the key <UntrustedText text={name} /> is shown: only its hash is stored. Give it to
          its caller now.
        </p>
        <div class="keys-secret">
          <div class="mono" tabIndex={0} role="textbox" aria-readonly aria-label="The new key" onFocus={selectAll}>
            {key}
          </div>
          <Copy text={() => key} kind="plain" label="Copy key" onCopied={() => (isCopied.value = true)} />
        </div>
        {oldEndsAt !== undefined && <p>{oldKeyText(oldEndsAt, Date.parse(createdAt))}</p>}
        <TryIt />
        <Checkbox
          label="I have copied the key."
          checked={isCopied.value}
          onChange={(checked) => (isCopied.value = checked)}
        />
        <p class="fault" role="alert">
          {warning.value}
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
