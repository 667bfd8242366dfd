// What the platform said when a signing key was checked.
import { useEffect, useRef } from 'preact/hooks'
import type { Check, StoredConnection } from '../../answers.ts'
import { Badge, RelativeTime, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import type { Tone } from '../../../../../base/console/parts/tone.ts'
import { Button } from '../../../../../base/console/parts/controls.tsx'

/** the key is known, and only what it may read is in question */
const known: Readonly<Record<string, string>> = {
  upstream_forbidden: 'accepted, cannot list apps',
  upstream_agreement_missing: 'accepted, agreement missing',
}

function wordOf({ ok, code }: Check): [word: string, tone: Tone] {
  if (ok) return ['accepted', 'good']
  const word = known[code ?? '']
  if (word !== undefined) return [word, 'warn']
  return code === 'upstream_key_rejected' ? ['rejected', 'bad'] : ['no response', 'bad']
}

export function CheckResult({ check, at }: { readonly check: Check; readonly at?: string }) {
  const [word, tone] = wordOf(check)
  return (
    <div class="connections-result">
      <p>
        <Badge tone={tone}>{word}</Badge>{' '}
        {at && (
          <span class="soft">
            <RelativeTime iso={at} />
          </span>
        )}
      </p>
      <p>
        <UntrustedText text={check.message} />
      </p>
      {check.code && (
        <p class="soft">
          <UntrustedText mono text={check.code} />
        </p>
      )}
    </div>
  )
}

/** in the place of a form, once its credential is stored */
export function Stored({ stored, onDone }: { readonly stored: StoredConnection; readonly onDone: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return (
    <div class="form">
      <div role="status">
        {stored.check ? (
          <CheckResult check={stored.check} />
        ) : (
          <p>
            The key was not checked. The first read, or <q>Check now</q>, shows whether it works.
          </p>
        )}
      </div>
      <p class="soft">
        Fingerprint <span class="mono connections-print">{stored.fingerprint}</span>
      </p>
      <div class="actions">
        <Button kind="main" onClick={onDone} ref={button}>
          View connection
        </Button>
      </div>
    </div>
  )
}
