// The field of an id in the path: typed, pasted, or chosen where some operation lists such ids.
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { asTyped, Field } from '../../../../../base/console/parts/field.tsx'
import { Prose } from '../../../../../base/console/parts/display.tsx'
import type { IdForm } from './operation-form.ts'

interface IdFieldProps {
  readonly id: IdForm
  readonly value: string
  readonly fault: string | undefined
  readonly example: string | undefined
  readonly onInput: (text: string) => void
  readonly onPick: (() => void) | undefined
}

export function IdField({ id: { name, description, from }, value, fault, example, onInput, onPick }: IdFieldProps) {
  return (
    <Field label={name} needed fault={fault} hint={<Prose text={description} />}>
      {(control) => (
        <div class="explorer-id">
          <input
            {...control}
            class="mono"
            type="text"
            value={value}
            placeholder={example && `such as ${example}`}
            aria-required
            {...asTyped}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
          {from !== undefined && (
            <Button off={!onPick} title={onPick ? `From ${from}` : 'Select a connection first'} onClick={onPick}>
              Browse…<span class="unseen"> for {name}</span>
            </Button>
          )}
        </div>
      )}
    </Field>
  )
}
