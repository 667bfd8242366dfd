// The fields that narrow the audit. What is typed is asked for once the typing rests.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { ChoiceField, Field, TextField } from '../../parts/field.tsx'
import type { Refusal } from '../../refusal.ts'
import { withoutSecret } from '../../without-secret.ts'
import { actChoices, isKnownAct } from './acts.ts'
import { type Filter, isMoment, sinceChoices, type UsedFilter } from './filter.ts'

const restMs = 400

/** what is typed, until it rests; what comes from elsewhere is shown at once */
function useTyped(value: string, rest: (text: string) => void) {
  const typed = useSignal(value)
  const given = useSignal(value)
  useEffect(() => {
    given.value = value
    if (typed.peek().trim() !== value) typed.value = value
  }, [value])
  const text = typed.value
  useEffect(() => {
    if (text.trim() === given.peek()) return undefined
    const timer = setTimeout(() => rest(text.trim()), restMs)
    return () => clearTimeout(timer)
  }, [text])
  return typed
}

interface TypedFieldProps {
  readonly label: string
  readonly value: string
  readonly fault: string | undefined
  readonly placeholder: string
  /** how the audit has a key whose id was found in what was pasted */
  readonly whole?: (id: string) => string
  readonly onRest: (text: string) => void
}

function TypedField({ onRest, value, whole = (id) => id, ...rest }: TypedFieldProps) {
  const typed = useTyped(value, onRest)
  const take = (text: string) => {
    const id = withoutSecret(text)
    // drawn anew even where the same id stood there before: else the field would keep what was pasted
    if (id !== text) typed.value = ''
    typed.value = id === text ? text : whole(id)
  }
  return <TextField {...rest} kind="search" mono value={typed.value} onInput={take} />
}

const other = 'other'

function Act({
  filter: { act },
  change,
  fault,
}: {
  filter: Filter
  change: UsedFilter['change']
  fault: string | undefined
}) {
  const isOther = useSignal(false)
  const isTyped = isOther.value || (act !== '' && !isKnownAct(act))
  return (
    <>
      <ChoiceField
        label="Act"
        value={isTyped ? other : act}
        choices={[...actChoices, [other, 'Another …']]}
        onChoose={(chosen) => {
          isOther.value = chosen === other
          change({ act: chosen === other ? '' : chosen })
        }}
      />
      {isTyped && (
        <TypedField
          {...{ label: 'Which act', value: act, fault, placeholder: 'connections.list' }}
          onRest={(text) => change({ act: text })}
        />
      )}
    </>
  )
}

interface FiltersProps {
  readonly used: UsedFilter
  readonly refusal: Refusal | undefined
  /** what stands beside them */
  readonly children: ComponentChildren
}

export function Filters({ used: { filter, change }, refusal, children }: FiltersProps) {
  const now = filter.value
  const faultOf = (name: string) => (refusal?.param === name ? refusal.message : undefined)
  return (
    <div class="audit-filters" role="search" aria-label="Audit">
      <Act {...{ filter: now, change, fault: faultOf('act') }} />
      <TypedField
        {...{ label: 'Target', value: now.target, fault: faultOf('target'), placeholder: 'An id' }}
        onRest={(target) => change({ target })}
      />
      <TypedField
        {...{ label: 'Who', value: now.who, fault: faultOf('who'), placeholder: 'operator:1a2b3c4d' }}
        whole={(id) => `key:${id}`}
        onRest={(who) => change({ who })}
      />
      <ChoiceField
        label="Outcome"
        value={now.outcome}
        choices={[
          ['', 'Done and denied'],
          ['done', 'Done'],
          ['denied', 'Denied'],
        ]}
        onChoose={(outcome) => change({ outcome: outcome as Filter['outcome'] })}
      />
      <ChoiceField
        {...{ label: 'Since', value: now.since, fault: faultOf('since'), choices: sinceChoices }}
        onChoose={(since) => change({ since })}
      />
      <label class="box audit-reads">
        <input
          type="checkbox"
          checked={!now.reads}
          disabled={now.act !== ''}
          onChange={({ currentTarget }) => change({ reads: !currentTarget.checked })}
        />
        <span>Leave reads out</span>
      </label>
      <div class="audit-until">
        <Field
          label="Until"
          fault={now.until === '' || isMoment(now.until) ? faultOf('until') : 'Choose another year.'}
        >
          {(tied) => (
            <input
              {...tied}
              type="datetime-local"
              max="9999-12-31T23:59"
              value={now.until}
              onChange={({ currentTarget }) => change({ until: currentTarget.value })}
            />
          )}
        </Field>
      </div>
      {children}
    </div>
  )
}
