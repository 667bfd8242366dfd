// Selects connections out of many: a search, the first of those that it finds, and all of them at once.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import './connection-chooser.css'
import { Button } from '../../../base/console/parts/controls.tsx'
import { Checkbox } from '../../../base/console/parts/field.tsx'
import { lowerCase, wordMatcher } from '../../../base/console/word-search.ts'
import { Choices, ChoiceSearch } from './chooser-choices.tsx'

interface ChooserProps {
  /** of all connections that are loaded */
  readonly known: readonly string[]
  readonly chosen: readonly string[]
  readonly fault: string | undefined
  readonly onChange: (chosen: readonly string[]) => void
  /** in the place of the choices, such as that they are loading */
  readonly children?: ComponentChildren
}

export function ConnectionChooser({ known, chosen, fault, onChange, children }: ChooserProps) {
  const faultId = useId()
  const text = useSignal('')
  const onlyChosen = useSignal(false)
  const set = new Set(chosen)
  const isFound = wordMatcher(text.value)
  // with those that were removed since they were selected
  const ids = new Set([...known, ...chosen])
  const found = [...ids].filter((id) => isFound(lowerCase(id)) && (!onlyChosen.value || set.has(id)))
  const toggle = (id: string) => onChange(set.has(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  return (
    <fieldset class="chooser" aria-describedby={faultId} data-faulty={Boolean(fault)}>
      <legend>Selected connections</legend>
      <ChoiceSearch
        what="connections"
        count={known.length}
        value={text.value}
        onInput={(typed) => (text.value = typed)}
      />
      {children ?? (
        <Choices
          what="connections"
          found={found.map((id) => ({ key: id, name: id, title: id, chosen: set.has(id), toggle: () => toggle(id) }))}
        />
      )}
      <div class="actions">
        <Checkbox
          label={`Show selected only (${set.size})`}
          checked={onlyChosen.value}
          onChange={(checked) => (onlyChosen.value = checked)}
        />
        <span>
          <Button kind="quiet" onClick={() => onChange([...set.union(new Set(found))])}>
            Select all {found.length}
          </Button>
          <Button kind="quiet" off={set.size === 0} onClick={() => onChange([])}>
            Clear selection
          </Button>
        </span>
      </div>
      <p id={faultId} class="fault" aria-live="polite">
        {fault}
      </p>
    </fieldset>
  )
}
