// The text of a new key, once, and how it is tried.
import type { IssuedKey } from '../../answers.ts'
import { Copy } from '../../../../../base/console/parts/controls.tsx'
import { SecretDialog as AnySecretDialog } from '../../../../../base/console/parts/secret-dialog.tsx'
import { shellWord } from '../../../../../base/core/source-text.ts'
import { publicAddress } from '../../public-address.ts'
import { minuteOf } from '../../../../../base/console/format.ts'

/** it asks for the key: what is typed as a part of a command stays in the history of the shell */
const commandAt = (url: string): string =>
  `read -rs VITRINE_KEY && curl -H "Authorization: Bearer $VITRINE_KEY" ${shellWord(`${url}/v1/whoami`)}`

function TryIt() {
  const command = commandAt(publicAddress())
  return (
    <details class="try-it">
      <summary>Try it in a shell</summary>
      <pre>
        <code>{command}</code>
      </pre>
      <div class="actions">
        <Copy text={() => command} label="Copy command" />
      </div>
      <p class="hint">The command waits until you paste the key and press Enter, then prints what the key can read.</p>
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

export function SecretDialog({ issued, oldEndsAt, onDone }: SecretDialogProps) {
  const title = oldEndsAt === undefined ? 'Your new key' : 'Your replacement key'
  return (
    <AnySecretDialog title={title} issued={issued} secret={issued.key} onDone={onDone}>
      {oldEndsAt !== undefined && <p>{oldKeyText(oldEndsAt, Date.parse(issued.createdAt))}</p>}
      <TryIt />
    </AnySecretDialog>
  )
}
