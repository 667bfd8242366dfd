// When a key ends: after a time, on a date, or never.
import { nowMs } from '../../../../../base/console/clock.ts'
import { minuteOf } from '../../../../../base/console/format.ts'
import { ChoiceField, Field } from '../../../../../base/console/parts/field.tsx'
import { endOf, type Expiry } from './key-draft.ts'

function endHint(draft: Expiry): string {
  if (draft.ends === 'never') return 'It works until it is revoked. Keys that expire are safer.'
  const at = endOf(draft, nowMs())
  if (at === undefined) return 'It expires when that day begins (UTC).'
  return draft.ends === 'date' ? `It expires on ${minuteOf(at)} (your local time).` : `It expires on ${minuteOf(at)}.`
}

interface ExpiryFieldProps {
  readonly draft: Expiry
  readonly fault: string | undefined
  readonly onChange: (changed: Partial<Expiry>) => void
}

export function ExpiryField({ draft, fault, onChange }: ExpiryFieldProps) {
  const isDate = draft.ends === 'date'
  return (
    <div class="form">
      <ChoiceField
        label="Expires"
        value={draft.ends}
        hint={endHint(draft)}
        fault={isDate ? undefined : fault}
        choices={{ '30d': 'In 30 days', '90d': 'In 90 days', '365d': 'In a year', date: 'On a date', never: 'Never' }}
        onChoose={(ends) => onChange({ ends })}
      />
      {isDate && (
        <Field label="Date" fault={fault}>
          {(control) => (
            <input
              {...control}
              type="date"
              value={draft.date}
              onInput={({ currentTarget }) => onChange({ date: currentTarget.value })}
            />
          )}
        </Field>
      )}
    </div>
  )
}
