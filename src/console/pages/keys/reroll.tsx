// Lets another key take over: says beforehand what will happen and when, and shows the new key once.
import { useSignal } from '@preact/signals'
import type { IssuedKey, Key, RerolledKey } from '../../answers.ts'
import { ask, at } from '../../api.ts'
import { nowMs } from '../../clock.ts'
import { minuteOf } from '../../moments.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ChoiceField, TextField } from '../../parts/field.tsx'
import { Foreign, plainText } from '../../parts/foreign.tsx'
import { asRefusal, isUnknown, type Refusal } from '../../refusal.ts'
import { tellUntold } from '../../untold.ts'
import { spanOf } from './draft.ts'
import { Foot, useMaking } from './making.tsx'
import { Secret } from './secret.tsx'

interface RerollProps {
  readonly old: Key
  readonly onMade: (made: IssuedKey) => void
  /** it may have been done, and no answer told of it */
  readonly onUnknown: () => void
  readonly onClose: () => void
}

const overlaps = [
  ['0', 'None: it ends at once'],
  ['1h', '1 hour'],
  ['24h', '24 hours'],
  ['7d', '7 days'],
  ['other', 'Another time'],
] as const

const wrong = 'Write a time such as 30m, 24h or 7d, or 0 for at once.'

/** the old key's end: an overlap never makes a key last longer */
const endsAt = ({ expiresAt }: Key, overlapMs: number, from: number): number =>
  Math.min(from + overlapMs, expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt))

function OldEnds({ old, overlapMs }: { readonly old: Key; readonly overlapMs: number | undefined }) {
  const end = overlapMs === undefined ? undefined : endsAt(old, overlapMs, nowMs())
  if (overlapMs === 0) return <li>The old key ends at once: whoever still sends it is refused (401).</li>
  if (end === undefined) return <li>The old key ends after the overlap, and is refused (401) from then on.</li>
  const own = old.expiresAt !== null && end === Date.parse(old.expiresAt)
  return (
    <li>
      The old key works until {minuteOf(end)}
      {own && ', its own end, which comes before the overlap is over'}. From then on it is refused (401).
    </li>
  )
}

function Consequences({ old, overlapMs }: { readonly old: Key; readonly overlapMs: number | undefined }) {
  return (
    <ul class="keys-does" aria-live="polite">
      <li>A new key with the same name, connections, groups and rate is made. It works at once.</li>
      <li>
        {old.expiresAt === null
          ? 'The new key never ends by itself, like the old one.'
          : `The new key ends on ${minuteOf(Date.parse(old.expiresAt))}, as the old one would have.`}
      </li>
      <OldEnds old={old} overlapMs={overlapMs} />
    </ul>
  )
}

function useHandover({ old, onUnknown }: RerollProps) {
  const choice = useSignal<string>('24h')
  const typed = useSignal('')
  const fault = useSignal<string | undefined>(undefined)
  const refusal = useSignal<Refusal | undefined>(undefined)
  const busy = useSignal(false)
  const overlap = choice.value === 'other' ? typed.value.trim() : choice.value
  const send = async (): Promise<IssuedKey | undefined> => {
    fault.value = spanOf(overlap) === undefined ? wrong : undefined
    refusal.value = undefined
    if (busy.value || fault.value) return undefined
    busy.value = true
    try {
      const made = await ask<RerolledKey>(at('/keys', old.id, '/reroll'), { method: 'POST', body: { overlap } })
      tellUntold(`${plainText(old.name)} was handed over`, made)
      return made
    } catch (error) {
      const said = asRefusal(error)
      if (said.param === 'overlap') fault.value = said.message
      else refusal.value = said
      if (isUnknown(said)) onUnknown()
      return undefined
    } finally {
      busy.value = false
    }
  }
  return { choice, typed, fault, refusal, busy, overlapMs: spanOf(overlap), send }
}

export function Reroll(props: RerollProps) {
  const { old, onMade, onClose } = props
  const issued = useSignal<{ readonly made: IssuedKey; readonly oldEndsAt: number } | undefined>(undefined)
  const { choice, typed, fault, refusal, busy, overlapMs, send } = useHandover(props)
  const making = useMaking(busy.value, (made) => {
    issued.value = { made, oldEndsAt: endsAt(old, overlapMs ?? 0, Date.parse(made.createdAt)) }
    onMade(made)
  })
  const close = () => {
    issued.value = undefined
    onClose()
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    const made = await send()
    if (made) making.onMade(made)
  }
  if (issued.value) return <Secret issued={issued.value.made} oldEndsAt={issued.value.oldEndsAt} onDone={close} />
  const isOther = choice.value === 'other'
  return (
    <Dialog title="Reroll key" firm={busy.value} onClose={onClose}>
      <form class="form" onSubmit={(event) => void submit(event)}>
        <p>
          Another key takes over from <Foreign text={old.name} />.
        </p>
        <ChoiceField
          label="Overlap"
          hint="How long both keys work, so that callers can be moved over."
          value={choice.value}
          fault={isOther ? undefined : fault.value}
          choices={overlaps}
          onChoose={(value) => {
            choice.value = value
            fault.value = undefined
          }}
        />
        {isOther && (
          <TextField
            label="How long"
            hint="Such as 30m, 36h or 3d."
            value={typed.value}
            fault={fault.value}
            onInput={(text) => (typed.value = text)}
          />
        )}
        <Consequences old={old} overlapMs={overlapMs} />
        <Foot
          {...{ deed: 'Reroll key', busy: busy.value, refusal: refusal.value, isTried: making.isTried, onClose }}
          what="No key has taken over."
          whetherWhat="Whether a key has taken over is not known."
        />
      </form>
    </Dialog>
  )
}
