// A field of a form: its name, its hint and what is wrong with it belong together, for the eye and for the ear.
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

export interface Tied {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean | undefined
}

interface FieldProps {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly fault?: string | undefined
  readonly optional?: boolean
  /** says so beside the name, in a form where most is optional */
  readonly needed?: boolean | undefined
  /** draws the control with what ties it to its words */
  readonly children: (tied: Tied) => ComponentChildren
}

export function Field({ label, hint, fault, optional = false, needed = false, children }: FieldProps) {
  const id = useId()
  const said = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional && <span class="soft"> (optional)</span>}
        {needed && <span class="soft"> (required)</span>}
      </label>
      {children({ id, 'aria-describedby': said || undefined, 'aria-invalid': fault ? true : undefined })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <p class="fault" id={`${id}-fault`} aria-live="polite">
        {fault}
      </p>
    </div>
  )
}

interface TextFieldProps extends Omit<FieldProps, 'children'> {
  readonly value: string
  readonly onInput: (text: string) => void
  readonly kind?: 'text' | 'password' | 'search' | 'number'
  readonly mono?: boolean
  readonly placeholder?: string | undefined
  readonly required?: boolean
}

/** numbers too are text: a field for numbers changes them when one scrolls. All have the role of a text field */
const typeOf = (kind: TextFieldProps['kind']) => (kind === 'number' ? 'text' : kind) as 'text'

/** nothing that is typed here is kept or completed by the browser */
export function TextField({
  value,
  onInput,
  kind = 'text',
  mono = false,
  placeholder,
  required,
  ...rest
}: TextFieldProps) {
  return (
    <Field {...rest}>
      {(tied) => (
        <input
          {...tied}
          class={mono ? 'mono' : undefined}
          type={typeOf(kind)}
          inputMode={kind === 'number' ? 'numeric' : 'text'}
          value={value}
          placeholder={placeholder}
          aria-required={required}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

interface ChoiceFieldProps extends Omit<FieldProps, 'children'> {
  readonly value: string
  readonly choices: readonly (readonly [value: string, label: string])[]
  readonly onChoose: (value: string) => void
}

export function ChoiceField({ value, choices, onChoose, ...rest }: ChoiceFieldProps) {
  return (
    <Field {...rest}>
      {(tied) => (
        <select {...tied} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
          {choices.map(([one, label]) => (
            <option key={one} value={one} selected={one === value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
