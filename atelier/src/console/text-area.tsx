// A field of several lines.
import type { ComponentChildren } from 'preact'
import { asTyped, Field } from '../../../base/console/parts/field.tsx'

interface TextAreaProps {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly fault?: string | undefined
  readonly optional?: boolean
  readonly rows?: number
  readonly value: string
  readonly onInput: (text: string) => void
}

export function TextArea({ value, rows = 3, onInput, ...field }: TextAreaProps) {
  return (
    <Field {...field}>
      {(control) => (
        <textarea
          {...control}
          {...asTyped}
          class="mono"
          rows={rows}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
