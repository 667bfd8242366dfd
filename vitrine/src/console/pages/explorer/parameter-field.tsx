// The field of a parameter, by its kind alone.
import { useId } from 'preact/hooks'
import { CheckboxGroup, ChoiceField, Select, TextField } from '../../../../../base/console/parts/field.tsx'
import { Combobox } from '../../../../../base/console/parts/combobox.tsx'
import { Prose } from '../../../../../base/console/parts/display.tsx'
import { FieldPicker } from './field-picker.tsx'
import { chosenIn, type ParameterFieldProps, type ParameterForm, sortKeysOf, takesSeveral } from './operation-form.ts'

function placeholderOf({ standard, kind }: ParameterForm): string | undefined {
  if (standard !== undefined) return `Default: ${standard}`
  return kind === 'texts' ? 'Separate values with commas' : undefined
}

/** more choices are behind a disclosure */
const fewChoices = 4

function Several({ parameter: { name, description, values = [] }, value, fault, onInput }: ParameterFieldProps) {
  const chosen = chosenIn(value)
  const boxes = (
    <CheckboxGroup
      label={name}
      hint={<Prose text={description} />}
      fault={fault}
      choices={values}
      chosen={chosen}
      onChange={(some) => onInput(some.join(','))}
    />
  )
  if (values.length <= fewChoices) return boxes
  return (
    <details class="explorer-fold">
      <summary>
        <span class="name">{name}</span>
        <span class="soft">{chosen.length === 0 ? 'any' : chosen.join(', ')}</span>
      </summary>
      {boxes}
    </details>
  )
}

function SortOrder({ parameter, value, fault, onInput }: ParameterFieldProps) {
  const hintId = useId()
  const chosen = chosenIn(value)
  const indexOf = (key: string) => chosen.findIndex((one) => one.replace(/^-/, '') === key)
  const choose = (key: string, now: string) => {
    const at = indexOf(key)
    // a key that changes its direction keeps its place
    const used = at < 0 ? [...chosen, now] : chosen.with(at, now)
    onInput((now === '' ? chosen.toSpliced(at, 1) : used).join(','))
  }
  return (
    <fieldset class="explorer-order" aria-describedby={hintId} aria-invalid={fault ? true : undefined}>
      <legend>{parameter.name}</legend>
      {(sortKeysOf(parameter) ?? []).map((key) => {
        const at = indexOf(key)
        const now = chosen[at] ?? ''
        return (
          <label key={key}>
            <span class="mono">{key}</span>
            <Select
              value={now}
              choices={{ '': 'not used', [key]: 'ascending', [`-${key}`]: 'descending' }}
              onChoose={(chosen) => choose(key, chosen)}
            />
            <span class="soft number" aria-hidden="true">
              {at >= 0 && chosen.length > 1 ? `${at + 1}.` : ''}
            </span>
          </label>
        )
      })}
      <p id={hintId} class={fault ? 'fault' : 'hint'} aria-live="polite">
        {fault ?? <Prose text={parameter.description} />}
        {!fault && chosen.length > 1 && ` Sorted by ${chosen.join(', then by ')}.`}
      </p>
    </fieldset>
  )
}

export function ParameterField(props: ParameterFieldProps) {
  const { parameter, value, fault, onInput } = props
  const { name, description, kind, values, open, required } = parameter
  const hint = <Prose text={description} />
  if (kind === 'fields') return <FieldPicker {...props} />
  if (!values)
    return (
      <TextField
        label={name}
        value={value}
        fault={fault}
        required={required}
        needed={required}
        mono
        kind={kind === 'integer' ? 'number' : 'text'}
        hint={hint}
        placeholder={placeholderOf(parameter)}
        onInput={onInput}
      />
    )
  if (open)
    return (
      <Combobox
        label={name}
        hint={hint}
        fault={fault}
        value={value}
        needed={required}
        free={takesSeveral(parameter) ? 'several' : 'one'}
        choices={values.map((one) => ({ value: one, label: one }))}
        onChoose={onInput}
      />
    )
  if (sortKeysOf(parameter)) return <SortOrder {...props} />
  if (kind === 'choices') return <Several {...props} />
  const choices = Object.fromEntries(values.map((one) => [one, one]))
  return (
    <ChoiceField
      label={name}
      hint={hint}
      fault={fault}
      value={value}
      choices={required ? choices : { '': 'any', ...choices }}
      needed={required}
      onChoose={onInput}
    />
  )
}
