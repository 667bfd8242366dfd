// The fields of the filter. Typed text takes effect when the typing pauses.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { withoutSecret } from '../../facade-key.ts'
import { Checkbox, ChoiceField, Field, TextField } from '../../../../../base/console/parts/field.tsx'
import type { ApiRefusal } from '../../../../../base/console/refusal.ts'
import { actionChoices, isKnownAction } from './actions.ts'
import { isTime, outcomeChoices, sinceChoices, type UsedFilter } from './filter.ts'

const pauseMs = 400

/** what is typed, until it pauses; a new value from elsewhere is shown at once */
function useTyped(value: string, onPause: (text: string) => void) {
  const typed = useSignal(value)
  const given = useSignal(value)
  useEffect(() => {
    given.value = value
    if (typed.peek().trim() !== value) typed.value = value
  }, [value])
  const text = typed.value
  useEffect(() => {
    if (text.trim() === given.peek()) return undefined
    const timer = setTimeout(() => onPause(text.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return typed
}

interface TypedFieldProps {
  readonly label: string
  readonly value: string
  readonly fault: string | undefined
  readonly placeholder: string
  /** how the log names a key whose id was found in pasted text */
  readonly nameOf?: (id: string) => string
  readonly onPause: (text: string) => void
}

function TypedField({ onPause, value, nameOf = (id) => id, ...rest }: TypedFieldProps) {
  const typed = useTyped(value, onPause)
  const onInput = (text: string) => {
    const id = withoutSecret(text)
    // drawn again even where the same id was there: else the field would keep the pasted key
    if (id !== text) typed.value = ''
    typed.value = id === text ? text : nameOf(id)
  }
  return <TextField {...rest} kind="search" mono value={typed.value} onInput={onInput} />
}

const other = 'other'

interface ActionFieldProps {
  readonly act: string
  readonly fault: string | undefined
  readonly onChange: (act: string) => void
}

function ActionField({ act, fault, onChange }: ActionFieldProps) {
  const isOther = useSignal(false)
  const isTyped = isOther.value || (act !== '' && !isKnownAction(act))
  return (
    <>
      <ChoiceField
        label="Action"
        value={isTyped ? other : act}
        choices={{ ...actionChoices, [other]: 'Other…' }}
        onChoose={(chosen) => {
          isOther.value = chosen === other
          onChange(chosen === other ? '' : chosen)
        }}
      />
      {isTyped && (
        <TypedField label="Action name" value={act} fault={fault} placeholder="connections.list" onPause={onChange} />
      )}
    </>
  )
}

interface FiltersProps {
  readonly used: UsedFilter
  readonly refusal: ApiRefusal | undefined
  readonly children: ComponentChildren
}

export function Filters({ used: { filter, change }, refusal, children }: FiltersProps) {
  const { act, target, who, outcome, since, until, reads } = filter.value
  const faultOf = (name: string) => (refusal?.param === name ? refusal.message : undefined)
  return (
    <div class="audit-filters" role="search" aria-label="Audit log">
      <ActionField act={act} fault={faultOf('act')} onChange={(chosen) => change({ act: chosen })} />
      <TypedField
        label="Target"
        value={target}
        fault={faultOf('target')}
        placeholder="An ID"
        onPause={(text) => change({ target: text })}
      />
      <TypedField
        label="Who"
        value={who}
        fault={faultOf('who')}
        placeholder="operator:1a2b3c4d"
        nameOf={(id) => `key:${id}`}
        onPause={(text) => change({ who: text })}
      />
      <ChoiceField
        label="Outcome"
        value={outcome}
        choices={outcomeChoices}
        onChoose={(chosen) => change({ outcome: chosen })}
      />
      <ChoiceField
        label="Since"
        value={since}
        fault={faultOf('since')}
        choices={sinceChoices}
        onChoose={(chosen) => change({ since: chosen })}
      />
      <Checkbox
        class="audit-reads"
        label="Hide reads"
        checked={!reads}
        disabled={act !== ''}
        onChange={(hidden) => change({ reads: !hidden })}
      />
      <div class="audit-until">
        <Field label="Until" fault={until === '' || isTime(until) ? faultOf('until') : 'Enter a valid date.'}>
          {(control) => (
            <input
              {...control}
              type="datetime-local"
              max="9999-12-31T23:59"
              value={until}
              onChange={({ currentTarget }) => change({ until: currentTarget.value })}
            />
          )}
        </Field>
      </div>
      {children}
    </div>
  )
}
