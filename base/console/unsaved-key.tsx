// A new key that left the page before it was copied: with a session that ended, or a page that failed.
import { signal } from '@preact/signals'
import { Button } from './parts/controls.tsx'
import { UntrustedText } from './parts/display.tsx'

export interface UnsavedKey {
  readonly id: string
  readonly name: string
}

export const unsavedKey = signal<UnsavedKey | undefined>(undefined)

/** on the sign-in page */
export const UnsavedKeyNotice = () =>
  unsavedKey.value ? (
    <p role="status">
      A new key was not copied before the session ended. After you sign in, the Keys page shows which one.
    </p>
  ) : null

/** shown on the page of keys until it is acknowledged */
export function UnsavedKeyAlert({ onOpen }: { readonly onOpen: (id: string) => void }) {
  if (!unsavedKey.value) return null
  const { id, name } = unsavedKey.value
  const forget = () => void (unsavedKey.value = undefined)
  const show = () => {
    forget()
    onOpen(id)
  }
  return (
    <div class="failed" role="alert">
      <p class="title">A new key was not copied.</p>
      <p>
        <UntrustedText text={name} /> <span class="mono">{id}</span> was created, and its text cannot be shown again. If
        nobody copied it, revoke it and create another.
      </p>
      <div class="actions">
        <Button onClick={show}>Open key</Button>
        <Button kind="quiet" onClick={forget}>
          I copied it
        </Button>
      </div>
    </div>
  )
}
