// The field of a parameter, by its kind alone.
import { Checks } from '../../parts/checks.tsx'
import { Combobox } from '../../parts/combobox.tsx'
import { ChoiceField, TextField } from '../../parts/field.tsx'
import { Prose } from '../../parts/prose.tsx'
import { FieldPicker } from './field-picker.tsx'
import { chosenIn, type ParameterFieldProps } from './field-props.ts'
import { keysOf, type ParameterForm, takesSeveral } from './forms.ts'
import { OrderField } from './order-field.tsx'

function placeholderOf({ standard, kind }: ParameterForm): string | undefined {
  if (standard !== undefined) return `${standard} unless you say otherwise`
  return kind === 'texts' ? 'one, or more with commas' : undefined
}

/** typed as it is sent */
function Typed({ parameter, value, fault, onInput }: ParameterFieldProps) {
  const { name, description, kind, required } = parameter
  return (
    <TextField
      {...{ label: name, value, fault, required, onInput }}
      needed={required}
      mono
      kind={kind === 'integer' ? 'number' : 'text'}
      hint={<Prose text={description} />}
      placeholder={placeholderOf(parameter)}
    />
  )
}

const none = ['', 'any'] as const

export function ParameterField(props: ParameterFieldProps) {
  const { parameter, value, fault, onInput } = props
  const { name, description, kind, values, open, required } = parameter
  if (kind === 'fields') return <FieldPicker {...props} />
  if (!values) return <Typed {...props} />
  const hint = <Prose text={description} />
  if (open)
    return (
      <Combobox
        {...{ label: name, hint, fault, value, onChoose: onInput, needed: required }}
        free={takesSeveral(parameter) ? 'several' : 'one'}
        choices={values.map((one) => ({ value: one, label: one }))}
      />
    )
  if (keysOf(parameter)) return <OrderField {...props} />
  if (kind === 'choices') return <Several {...props} />
  const choices = [...(required ? [] : [none]), ...values.map((one) => [one, one] as const)]
  return <ChoiceField {...{ label: name, hint, fault, value, choices, needed: required }} onChoose={onInput} />
}

/** so few are seen at once */
const few = 4

function Several({ parameter: { name, description, values = [] }, value, fault, onInput }: ParameterFieldProps) {
  const chosen = chosenIn(value)
  const boxes = (
    <Checks
      {...{ label: name, hint: <Prose text={description} />, fault, choices: values, chosen }}
      onChange={(some) => onInput(some.join(','))}
    />
  )
  if (values.length <= few) return boxes
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
