// Chooses what comes back: none chosen is everything.
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { finderOf, small } from '../../finding.ts'
import { Button } from '../../parts/button.tsx'
import { Prose } from '../../parts/prose.tsx'
import { chosenIn, type ParameterFieldProps } from './field-props.ts'
import type { FieldForm } from './forms.ts'

/** more than these want a field to find one */
const few = 12

interface BoxesProps {
  readonly label: string
  readonly fields: readonly FieldForm[]
  readonly chosen: readonly string[]
  readonly toggle: (name: string) => void
}

function Boxes({ label, fields, chosen, toggle }: BoxesProps) {
  if (fields.length === 0) return null
  return (
    <div class="explorer-fields" role="group" aria-label={label}>
      {fields.map(({ name, description, type }) => (
        <label key={name} class="box" title={`${description} (${type})`}>
          <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} />
          <span class="mono">{name}</span>
        </label>
      ))}
    </div>
  )
}

/** what the choice is made of: told fields in their order, and values that nothing is told of */
function choosable({ form, parameter }: ParameterFieldProps): readonly FieldForm[] {
  const told = form.fields.filter(({ name }) => parameter.values?.includes(name) ?? true)
  const names = new Set(told.map(({ name }) => name))
  const rest = (parameter.values ?? []).filter((name) => !names.has(name))
  return [...told, ...rest.map((name) => ({ name, description: '', type: '', kind: 'attribute' }) as const)]
}

export function FieldPicker(props: ParameterFieldProps) {
  const { form, parameter, value, fault, onInput } = props
  const id = useId()
  const sought = useSignal('')
  const all = choosable(props)
  const chosen = chosenIn(value)
  const put = (some: readonly string[]) =>
    onInput(all.flatMap(({ name }) => (some.includes(name) ? [name] : [])).join(','))
  const toggle = (name: string) => put(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name])
  const isFound = finderOf(sought.value)
  const found = all.filter(({ name }) => isFound(small(name)))
  const left = form.fields.filter(({ name }) => !all.some((one) => one.name === name)).map(({ name }) => name)
  const of = (kind: FieldForm['kind']) => found.filter((one) => one.kind === kind)
  return (
    <details class="explorer-fold">
      <summary>
        <span class="name">{parameter.name}</span>
        <span class="soft">{chosen.length === 0 ? 'everything' : `${chosen.length} of ${all.length}`}</span>
      </summary>
      <div class="explorer-picker" aria-describedby={`${id}-said`}>
        <div class="explorer-filling">
          {all.length > few && (
            <input
              type="search"
              aria-label={`Find in ${parameter.name}`}
              placeholder="Find a field"
              value={sought.value}
              onInput={(event) => (sought.value = event.currentTarget.value)}
            />
          )}
          <Button kind="quiet" onClick={() => put(all.map(({ name }) => name))}>
            All
          </Button>
          <Button kind="quiet" onClick={() => put([])}>
            None
          </Button>
        </div>
        <Boxes label="Attributes" fields={of('attribute')} {...{ chosen, toggle }} />
        <Boxes label="Linkages" fields={of('linkage')} {...{ chosen, toggle }} />
        <p id={`${id}-said`} class={fault ? 'fault' : 'hint'} aria-live="polite">
          {fault ?? <Prose text={parameter.description} />}
          {!fault && left.length > 0 && ` Only without a choice: ${left.join(', ')}.`}
        </p>
      </div>
    </details>
  )
}
