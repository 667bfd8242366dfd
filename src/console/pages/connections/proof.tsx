// What the platform said when a signing key was tried.
import type { Check } from '../../answers.ts'
import { Badge } from '../../parts/badge.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Moment } from '../../parts/moment.tsx'
import type { Tone } from '../../parts/tone.ts'

/** it knew the key, and only what it may read is in question */
const known: Readonly<Record<string, string>> = {
  upstream_forbidden: 'known, may not list apps',
  upstream_agreement_missing: 'known, an agreement is missing',
}

function wordOf({ ok, code }: Check): [word: string, tone: Tone] {
  if (ok) return ['accepted', 'good']
  const word = known[code ?? '']
  if (word !== undefined) return [word, 'warn']
  return code === 'upstream_key_rejected' ? ['refused', 'bad'] : ['not answered', 'bad']
}

interface ProofProps {
  readonly check: Check
  readonly at?: string | undefined
}

export function Proof({ check, at }: ProofProps) {
  const [word, tone] = wordOf(check)
  return (
    <div class="connections-proof">
      <p>
        <Badge tone={tone}>{word}</Badge>{' '}
        {at && (
          <span class="soft">
            <Moment iso={at} />
          </span>
        )}
      </p>
      <p>
        <Foreign text={check.message} />
      </p>
      {check.code && (
        <p class="soft mono">
          <Foreign text={check.code} />
        </p>
      )}
    </div>
  )
}

/** after it was stored */
export function Outcome({ check }: { readonly check: Check | null }) {
  if (check) return <Proof check={check} />
  return (
    <p>
      It was not tried. Whether the platform knows it shows with the first read, or with <q>Check now</q>.
    </p>
  )
}
