// A secret, shown once. It is in this dialog and nowhere else: the dialog does not close, and the page cannot be left, before it was
// copied.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useLeaveGuard } from '../leave-guard.ts'
import { type UnsavedKey, unsavedKey } from '../unsaved-key.tsx'
import { Button, Copy } from './controls.tsx'
import { Dialog } from './dialog.tsx'
import { UntrustedText } from './display.tsx'
import { Checkbox } from './field.tsx'

const selectAll = (event: Event) => getSelection()?.selectAllChildren(event.currentTarget as Node)

interface SecretDialogProps {
  readonly title: string
  readonly issued: UnsavedKey
  readonly secret: string
  /** below the secret */
  readonly children?: ComponentChildren
  readonly onDone: () => void
}

export function SecretDialog({ title, issued, secret, children, onDone }: SecretDialogProps) {
  const isCopied = useSignal(false)
  const warning = useSignal('')
  const warn = () => void (warning.value = 'Copy the key first: it cannot be shown again.')
  useLeaveGuard(true, warn)
  // the session may end all the same
  useEffect(
    () => () => {
      if (!isCopied.peek()) unsavedKey.value = { id: issued.id, name: issued.name }
    },
    [],
  )
  return (
    <Dialog title={title} firm onClose={warn}>
      <div class="form">
        <p>
          This is the only time that the key <UntrustedText text={issued.name} /> is shown: only its hash is stored.
          Give it to its caller now.
        </p>
        <div class="secret">
          <div class="mono" tabIndex={0} role="textbox" aria-readonly aria-label="The new key" onFocus={selectAll}>
            {secret}
          </div>
          <Copy text={() => secret} kind="plain" label="Copy key" onCopied={() => (isCopied.value = true)} />
        </div>
        {children}
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
