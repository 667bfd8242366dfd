// Until when a new key is good, and how often it may ask.
import { nowMs } from '../../clock.ts'
import { minuteOf } from '../../moments.ts'
import { ChoiceField, Field, TextField } from '../../parts/field.tsx'
import { type Draft, endOf, type Filling } from './draft.ts'

const ends = [
  ['30d', 'In 30 days'],
  ['90d', 'In 90 days'],
  ['365d', 'In a year'],
  ['date', 'On a day'],
  ['never', 'Never'],
] as const satisfies readonly (readonly [Draft['ends'], string])[]

const rates = [
  ['service', "The service's"],
  ['own', 'Its own'],
  ['none', 'No limit'],
] as const satisfies readonly (readonly [Draft['rate'], string])[]

const oneOf = <T extends string>(choices: readonly (readonly [T, string])[], value: string, otherwise: T): T =>
  choices.find(([one]) => one === value)?.[0] ?? otherwise

function endHint(draft: Draft): string {
  if (draft.ends === 'never') return 'It works until somebody revokes it. Keys that end by themselves are safer.'
  const at = endOf(draft, nowMs())
  if (at === undefined) return 'It ends when that day begins (UTC).'
  return draft.ends === 'date' ? `It ends on ${minuteOf(at)} of your clock.` : `It ends on ${minuteOf(at)}.`
}

function Day({ filling: { draft, faults, change } }: { readonly filling: Filling }) {
  return (
    <Field label="Day" fault={faults.expires}>
      {(tied) => (
        <input
          {...tied}
          type="date"
          value={draft.date}
          onInput={(event) => change({ date: event.currentTarget.value })}
        />
      )}
    </Field>
  )
}

function Expiry({ filling }: { readonly filling: Filling }) {
  const { draft, faults, change } = filling
  return (
    <div class="form">
      <ChoiceField
        label="Expires"
        value={draft.ends}
        hint={endHint(draft)}
        fault={draft.ends === 'date' ? undefined : faults.expires}
        choices={ends}
        onChoose={(value) => change({ ends: oneOf(ends, value, '90d') })}
      />
      {draft.ends === 'date' && <Day filling={filling} />}
    </div>
  )
}

export function Term({ filling }: { readonly filling: Filling }) {
  const { draft, faults, change } = filling
  return (
    <div class="pair">
      <Expiry filling={filling} />
      <div class="form">
        <ChoiceField
          label="Rate"
          value={draft.rate}
          hint={draft.rate === 'none' ? 'It may use up the platform’s quota for all.' : 'Requests a minute.'}
          fault={draft.rate === 'own' ? undefined : faults.perMinute}
          choices={rates}
          onChoose={(value) => change({ rate: oneOf(rates, value, 'service') })}
        />
        {draft.rate === 'own' && (
          <TextField
            label="Requests a minute"
            kind="number"
            value={draft.perMinute}
            fault={faults.perMinute}
            onInput={(perMinute) => change({ perMinute: perMinute.trim() })}
          />
        )}
      </div>
    </div>
  )
}
