// A field of a form: its label, its hint and its fault belong together, for the eye and for a screen reader.
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

export interface ControlProps {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean | undefined
}

interface FieldProps {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly fault?: string | undefined
  readonly optional?: boolean
  /** says so beside the label, in a form where most is optional */
  readonly needed?: boolean | undefined
  readonly children: (control: ControlProps) => ComponentChildren
}

export function Field({ label, hint, fault, optional = false, needed = false, children }: FieldProps) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional && <span class="soft"> (optional)</span>}
        {needed && <span class="soft"> (required)</span>}
      </label>
      {children({ id, 'aria-describedby': describedBy || undefined, 'aria-invalid': fault ? true : undefined })}
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

/** the browser neither keeps, completes nor corrects what is typed */
export const asTyped = { autocomplete: 'off', autocapitalize: 'off', spellcheck: false } as const

interface TextFieldProps extends Omit<FieldProps, 'children'> {
  readonly value: string
  readonly onInput: (text: string) => void
  readonly kind?: 'text' | 'password' | 'search' | 'number'
  readonly mono?: boolean
  readonly placeholder?: string | undefined
  readonly required?: boolean
}

export function TextField({
  value,
  onInput,
  kind = 'text',
  mono = false,
  placeholder,
  required,
  ...rest
}: TextFieldProps) {
  // a number field changes its value when one scrolls; all of these have the role of a text field
  const type = (kind === 'number' ? 'text' : kind) as 'text'
  return (
    <Field {...rest}>
      {(control) => (
        <input
          {...control}
          class={mono ? 'mono' : undefined}
          type={type}
          inputMode={kind === 'number' ? 'numeric' : 'text'}
          value={value}
          placeholder={placeholder}
          aria-required={required}
          {...asTyped}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

interface SelectProps<T extends string> extends Partial<ControlProps> {
  readonly class?: string
  readonly value: T
  readonly choices: Readonly<Record<T, string>>
  readonly onChoose: (value: T) => void
}

export const Select = <T extends string>({ value, choices, onChoose, ...rest }: SelectProps<T>) => (
  <select {...rest} value={value} onChange={(event) => onChoose(event.currentTarget.value as T)}>
    {Object.entries<string>(choices).map(([one, label]) => (
      <option key={one} value={one} selected={one === value}>
        {label}
      </option>
    ))}
  </select>
)

type ChoiceFieldProps<T extends string> = Omit<FieldProps, 'children'> &
  Pick<SelectProps<T>, 'value' | 'choices' | 'onChoose'>

export function ChoiceField<T extends string>({ value, choices, onChoose, ...rest }: ChoiceFieldProps<T>) {
  return (
    <Field {...rest}>{(control) => <Select {...control} value={value} choices={choices} onChoose={onChoose} />}</Field>
  )
}

interface CheckboxProps {
  readonly label: ComponentChildren
  readonly checked: boolean
  readonly disabled?: boolean
  readonly class?: string
  readonly title?: string
  readonly 'aria-describedby'?: string
  readonly onChange: (checked: boolean) => void
}

export function Checkbox({ label, class: name = '', title, onChange, ...input }: CheckboxProps) {
  return (
    <label class={`box ${name}`} title={title}>
      <input {...input} type="checkbox" onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      <span>{label}</span>
    </label>
  )
}

interface CheckboxGroupProps {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly fault?: string | undefined
  readonly choices: readonly string[]
  readonly chosen: readonly string[]
  /** what each choice means: then each has a line of its own */
  readonly meanings?: Readonly<Record<string, string>>
  readonly onChange: (chosen: readonly string[]) => void
}

export function CheckboxGroup({ label, hint, fault, choices, chosen, meanings, onChange }: CheckboxGroupProps) {
  const id = useId()
  const toggle = (one: string) =>
    onChange(choices.filter((choice) => (choice === one ? !chosen.includes(one) : chosen.includes(choice))))
  const labelOf = (choice: string) => (
    <>
      {choice}
      {meanings && <span class="soft"> {meanings[choice]}</span>}
    </>
  )
  return (
    <fieldset class="checks" aria-describedby={`${id}-hint`} aria-invalid={fault ? true : undefined}>
      <legend>{label}</legend>
      <div class={meanings ? 'boxes meanings' : 'boxes'}>
        {choices.map((one) => (
          <Checkbox key={one} label={labelOf(one)} checked={chosen.includes(one)} onChange={() => toggle(one)} />
        ))}
      </div>
      <p id={`${id}-hint`} class={fault ? 'fault' : 'hint'} aria-live="polite">
        {fault ?? hint}
      </p>
    </fieldset>
  )
}
