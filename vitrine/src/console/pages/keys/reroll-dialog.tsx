// Replaces a key by a new one: says beforehand what will happen and when, and shows the new key once.
import { type Signal, useSignal } from '@preact/signals'
import type { IssuedKey, Key, RerolledKey } from '../../answers.ts'
import { ask, at } from '../../../../../base/console/api.ts'
import { nowMs } from '../../../../../base/console/clock.ts'
import { Dialog } from '../../../../../base/console/parts/dialog.tsx'
import { ChoiceField, TextField } from '../../../../../base/console/parts/field.tsx'
import { plainText, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { minuteOf } from '../../../../../base/console/format.ts'
import { warnOfRevocation } from '../../revocation-warning.ts'
import { Foot, useKeyCreation } from '../../../../../base/console/parts/key-creation.tsx'
import { ExpiryField } from './expiry-field.tsx'
import { blank, endOf, type Expiry, expiresOf, expiryFault, spanOf } from './key-draft.ts'
import { SecretDialog } from './secret-dialog.tsx'

const overlaps = {
  '0': 'None: the old key ends immediately',
  '1h': '1 hour',
  '24h': '24 hours',
  '7d': '7 days',
  other: 'Custom',
}

/** an overlap never makes a key last longer */
const oldEndOf = ({ expiresAt }: Key, overlapMs: number, from: number): number =>
  Math.min(from + overlapMs, expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt))

/** `overlapMs` undefined: not valid yet */
function oldKeyText(old: Key, overlapMs: number | undefined): string {
  if (overlapMs === 0) return 'The old key ends immediately: requests with it are rejected (401).'
  if (overlapMs === undefined) return 'The old key ends after the overlap: requests with it are then rejected (401).'
  const end = oldEndOf(old, overlapMs, nowMs())
  const isOwn = old.expiresAt !== null && end === Date.parse(old.expiresAt)
  const why = isOwn ? ', when it expires, before the overlap is over' : ''
  return `The old key works until ${minuteOf(end)}${why}. After that, requests with it are rejected (401).`
}

/** `expiry` undefined: as the old key */
function newKeyText({ expiresAt }: Key, expiry: Expiry | undefined): string {
  if (expiry?.ends === 'never' || (!expiry && expiresAt === null))
    return `The new key never expires${expiry ? '' : ', like the old one'}.`
  const at = expiry ? endOf(expiry, nowMs()) : Date.parse(expiresAt ?? '')
  if (at === undefined) return 'The new key expires when that day begins (UTC).'
  return `The new key expires on ${minuteOf(at)}${expiry ? '' : ', like the old one'}.`
}

interface ConsequencesProps {
  readonly old: Key
  readonly overlapMs: number | undefined
  readonly expiry: Expiry | undefined
}

function Consequences({ old, overlapMs, expiry }: ConsequencesProps) {
  return (
    <ul class="keys-consequences" aria-live="polite">
      <li>A new key with the same name, connections, groups and rate limit is created. It works immediately.</li>
      <li>{newKeyText(old, expiry)}</li>
      <li>{oldKeyText(old, overlapMs)}</li>
    </ul>
  )
}

type Choice = keyof typeof overlaps
type Fault = Signal<string | undefined>

interface OverlapProps {
  readonly choice: Signal<Choice>
  readonly typed: Signal<string>
  readonly fault: Fault
}

function OverlapFields({ choice, typed, fault }: OverlapProps) {
  const isOther = choice.value === 'other'
  return (
    <>
      <ChoiceField
        label="Overlap"
        hint="How long both keys work, so that callers can switch."
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
          label="Duration"
          hint="Such as 30m, 36h or 3d."
          value={typed.value}
          fault={fault.value}
          onInput={(text) => (typed.value = text)}
        />
      )}
    </>
  )
}

interface NewEndProps {
  readonly old: Key
  readonly isKept: Signal<boolean>
  readonly expiry: Signal<Expiry>
  readonly fault: Fault
}

function NewEndFields({ old: { expiresAt }, isKept, expiry, fault }: NewEndProps) {
  const kept = expiresAt === null ? 'Never' : minuteOf(Date.parse(expiresAt))
  return (
    <>
      <ChoiceField
        label="End of the new key"
        value={isKept.value ? 'kept' : 'own'}
        choices={{ kept: `${kept}, like the old key`, own: 'Another' }}
        onChoose={(value) => (isKept.value = value === 'kept')}
      />
      {!isKept.value && (
        <ExpiryField
          draft={expiry.value}
          fault={fault.value}
          onChange={(changed) => {
            expiry.value = { ...expiry.value, ...changed }
            fault.value = undefined
          }}
        />
      )}
    </>
  )
}

interface RerollProps {
  readonly old: Key
  readonly onMade: (made: IssuedKey) => void
  /** it may have been done, and no answer said so */
  readonly onUnknown: () => void
  readonly onClose: () => void
}

export function RerollDialog({ old, onMade, onUnknown, onClose }: RerollProps) {
  const issued = useSignal<{ readonly made: IssuedKey; readonly oldEndsAt: number } | undefined>(undefined)
  const choice = useSignal<Choice>('24h')
  const typed = useSignal('')
  const fault = useSignal<string | undefined>(undefined)
  const isKept = useSignal(true)
  const expiry = useSignal<Expiry>(blank)
  const expiryWrong = useSignal<string | undefined>(undefined)
  const wanted = isKept.value ? undefined : expiry.value
  const overlap = choice.value === 'other' ? typed.value.trim() : choice.value
  const overlapMs = spanOf(overlap)
  const creation = useKeyCreation<IssuedKey>({
    onMade(made) {
      issued.value = { made, oldEndsAt: oldEndOf(old, overlapMs ?? 0, Date.parse(made.createdAt)) }
      onMade(made)
    },
    onUnknown,
    atField({ param, message }) {
      if (param === 'overlap') fault.value = message
      if (param === 'expires') expiryWrong.value = message
      return param === 'overlap' || param === 'expires'
    },
  })
  const reroll = async () => {
    const made = await ask<RerolledKey>(at('/keys', old.id, '/reroll'), {
      method: 'POST',
      body: { overlap, expires: wanted && expiresOf(wanted) },
    })
    warnOfRevocation(`${plainText(old.name)} was rerolled`, made)
    return made
  }
  const submit = (event: Event) => {
    event.preventDefault()
    creation.refusal.value = undefined
    fault.value = overlapMs === undefined ? 'Enter a duration such as 30m, 24h or 7d, or 0 for none.' : undefined
    expiryWrong.value = (wanted && expiryFault(wanted, nowMs())) || undefined
    if (!fault.value && !expiryWrong.value) void creation.create(reroll)
  }
  if (issued.value)
    return <SecretDialog issued={issued.value.made} oldEndsAt={issued.value.oldEndsAt} onDone={onClose} />
  return (
    <Dialog title="Reroll key" firm={creation.busy.value} onClose={onClose}>
      <form class="form" onSubmit={submit}>
        <p>
          A new key replaces <UntrustedText text={old.name} />.
        </p>
        <OverlapFields choice={choice} typed={typed} fault={fault} />
        <NewEndFields old={old} isKept={isKept} expiry={expiry} fault={expiryWrong} />
        <Consequences old={old} overlapMs={overlapMs} expiry={wanted} />
        <Foot
          creation={creation}
          action="Reroll key"
          notDone="The key was not rerolled."
          unknown="It is unknown whether the key was rerolled."
          onClose={onClose}
        />
      </form>
    </Dialog>
  )
}
