// Asks before something is destroyed that can be made again: one press, without typing its name.
import type { ComponentChildren } from 'preact'
import { useAction } from '../../../base/console/load.ts'
import { Button } from '../../../base/console/parts/controls.tsx'
import { Dialog } from '../../../base/console/parts/dialog.tsx'
import { Failed } from '../../../base/console/parts/states.tsx'

interface ConfirmDialogProps {
  readonly title: string
  readonly action: string
  /** throws an ApiRefusal */
  readonly act: () => Promise<void>
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function ConfirmDialog({ title, action, act, onClose, children }: ConfirmDialogProps) {
  const { busy, refusal, run } = useAction()
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="form">
        {children}
        {refusal.value && <Failed refusal={refusal.value} />}
        <div class="actions">
          <Button kind="danger" busy={busy.value} onClick={() => void run(act)}>
            {action}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </div>
    </Dialog>
  )
}
