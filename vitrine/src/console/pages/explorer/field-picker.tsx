// Selects the fields that come back; none selected is all of them.
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { Checkbox } from '../../../../../base/console/parts/field.tsx'
import { Search } from '../../../../../base/console/parts/search.tsx'
import { Prose } from '../../../../../base/console/parts/display.tsx'
import { lowerCase, wordMatcher } from '../../../../../base/console/word-search.ts'
import { chosenIn, type FieldForm, type ParameterFieldProps } from './operation-form.ts'

/** with more fields than these there is a search */
const few = 12

interface BoxesProps {
  readonly label: string
  readonly fields: readonly FieldForm[]
  readonly chosen: readonly string[]
  readonly onToggle: (name: string) => void
}

function Boxes({ label, fields, chosen, onToggle }: BoxesProps) {
  if (fields.length === 0) return null
  return (
    <div class="explorer-fields" role="group" aria-label={label}>
      {fields.map(({ name, description, type }) => (
        <Checkbox
          key={name}
          title={`${description} (${type})`}
          label={<span class="mono">{name}</span>}
          checked={chosen.includes(name)}
          onChange={() => onToggle(name)}
        />
      ))}
    </div>
  )
}

/** described fields in their order, then values without a description */
function selectable({ form, parameter: { values } }: ParameterFieldProps): readonly FieldForm[] {
  const described = form.fields.filter(({ name }) => values?.includes(name) ?? true)
  const names = new Set(described.map(({ name }) => name))
  const rest = (values ?? []).filter((name) => !names.has(name))
  return [...described, ...rest.map((name) => ({ name, description: '', type: '', kind: 'attribute' as const }))]
}

export function FieldPicker(props: ParameterFieldProps) {
  const { form, parameter, value, fault, onInput } = props
  const hintId = useId()
  const sought = useSignal('')
  const all = selectable(props)
  const chosen = chosenIn(value)
  const names = all.map(({ name }) => name)
  const put = (some: readonly string[]) => onInput(names.filter((name) => some.includes(name)).join(','))
  const toggle = (name: string) => put(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name])
  const isFound = wordMatcher(sought.value)
  const found = all.filter(({ name }) => isFound(lowerCase(name)))
  const left = form.fields.map(({ name }) => name).filter((name) => !names.includes(name))
  const ofKind = (kind: FieldForm['kind']) => found.filter((one) => one.kind === kind)
  return (
    <details class="explorer-fold">
      <summary>
        <span class="name">{parameter.name}</span>
        <span class="soft">{chosen.length === 0 ? 'all fields' : `${chosen.length} of ${all.length}`}</span>
      </summary>
      <div class="explorer-picker" aria-describedby={hintId}>
        <div class="explorer-buttons">
          {all.length > few && (
            <Search
              label={`Find in ${parameter.name}`}
              placeholder="Find a field"
              value={sought.value}
              onInput={(text) => (sought.value = text)}
            />
          )}
          <Button kind="quiet" onClick={() => put(names)}>
            All
          </Button>
          <Button kind="quiet" onClick={() => put([])}>
            None
          </Button>
        </div>
        <Boxes label="Attributes" fields={ofKind('attribute')} chosen={chosen} onToggle={toggle} />
        <Boxes label="Linkages" fields={ofKind('linkage')} chosen={chosen} onToggle={toggle} />
        <p id={hintId} class={fault ? 'fault' : 'hint'} aria-live="polite">
          {fault ?? <Prose text={parameter.description} />}
          {!fault && left.length > 0 && ` Returned only while no fields are selected: ${left.join(', ')}.`}
        </p>
      </div>
    </details>
  )
}
