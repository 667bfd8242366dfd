// What stands above the keys: the search, the states, the two questions that are asked most.
import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { ChoiceField } from '../../parts/field.tsx'
import { Filter } from '../../parts/filter.tsx'
import { withoutSecret } from '../../without-secret.ts'
import { idleDays, type Narrowing, soonDays } from './narrowing.ts'

const states = [
  ['active', 'Active'],
  ['expired', 'Expired'],
  ['revoked', 'Revoked'],
  ['all', 'All'],
] as const satisfies readonly (readonly [Narrowing['state'], string])[]

interface NarrowProps {
  readonly narrowing: Signal<Narrowing>
  readonly children: ComponentChildren
}

interface QuickProps {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

function Quick({ label, isOn, onChange }: QuickProps) {
  return (
    <label class="box">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  )
}

export function Narrow({ narrowing, children }: NarrowProps) {
  const { text, state, soon, idle } = narrowing.value
  const change = (changed: Partial<Narrowing>) => void (narrowing.value = { ...narrowing.peek(), ...changed })
  const search = (typed: string) => {
    const kept = withoutSecret(typed)
    // drawn anew even where the same id stood there before: else the field would keep what was pasted
    if (kept !== typed) change({ text: '' })
    change({ text: kept })
  }
  return (
    <div class="above">
      <Filter label="Search name, id, note, connection" value={text} onInput={search} />
      <ChoiceField
        label="State"
        value={state}
        choices={states}
        onChoose={(value) => change({ state: states.find(([one]) => one === value)?.[0] ?? 'active' })}
      />
      <div class="keys-quick">
        <Quick
          label={`Expires within ${soonDays} days`}
          isOn={soon}
          onChange={(isOn) => change(isOn ? { soon: true, state: 'active' } : { soon: false })}
        />
        <Quick label={`Not used for ${idleDays} days`} isOn={idle} onChange={(isOn) => change({ idle: isOn })} />
      </div>
      <span class="end">{children}</span>
    </div>
  )
}
