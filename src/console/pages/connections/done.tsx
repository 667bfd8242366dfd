// What came of it, once a credential is stored.
import { useEffect, useRef } from 'preact/hooks'
import type { StoredConnection } from '../../answers.ts'
import { Button } from '../../parts/button.tsx'
import { Outcome } from './proof.tsx'

interface DoneProps {
  readonly stored: StoredConnection
  readonly onDone: () => void
}

export function Done({ stored, onDone }: DoneProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return (
    <div class="form">
      <div role="status">
        <Outcome check={stored.check} />
      </div>
      <p class="soft">
        Fingerprint <span class="mono connections-print">{stored.fingerprint}</span>
      </p>
      <div class="actions">
        <Button kind="main" onClick={onDone} ref={button}>
          Show it
        </Button>
      </div>
    </div>
  )
}
