// The field of an id in the path: typed, pasted, or picked where some operation lists such ids.
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { Prose } from '../../parts/prose.tsx'
import type { IdForm } from './forms.ts'

interface IdFieldProps {
  readonly id: IdForm
  readonly value: string
  readonly fault: string | undefined
  readonly example: string | undefined
  readonly onInput: (text: string) => void
  /** undefined: there is no connection to ask yet */
  readonly onPick: (() => void) | undefined
}

export function IdField({ id: { name, description, from }, value, fault, example, onInput, onPick }: IdFieldProps) {
  return (
    <Field label={name} needed fault={fault} hint={<Prose text={description} />}>
      {(tied) => (
        <div class="explorer-id">
          <input
            {...tied}
            class="mono"
            type="text"
            value={value}
            placeholder={example && `such as ${example}`}
            aria-required
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
          {from !== undefined && (
            <Button off={!onPick} title={onPick ? `From ${from}` : 'Choose a connection first'} onClick={onPick}>
              Pick one…<span class="unseen"> for {name}</span>
            </Button>
          )}
        </div>
      )}
    </Field>
  )
}
