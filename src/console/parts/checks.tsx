// A set of boxes to tick, under one name.
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface ChecksProps {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly fault?: string | undefined
  readonly choices: readonly string[]
  readonly chosen: readonly string[]
  /** what each choice means: then each stands in a line of its own */
  readonly words?: Readonly<Record<string, string>>
  readonly onChange: (chosen: readonly string[]) => void
}

export function Checks({ label, hint, fault, choices, chosen, words, onChange }: ChecksProps) {
  const id = useId()
  const toggle = (one: string) =>
    onChange(choices.filter((choice) => (choice === one ? !chosen.includes(one) : chosen.includes(choice))))
  return (
    <fieldset class="checks" aria-describedby={`${id}-said`} aria-invalid={fault ? true : undefined}>
      <legend>{label}</legend>
      <div class={words ? 'boxes told' : 'boxes'}>
        {choices.map((choice) => (
          <label key={choice} class="box">
            <input type="checkbox" checked={chosen.includes(choice)} onChange={() => toggle(choice)} />
            <span>
              {choice}
              {words && <span class="soft"> {words[choice]}</span>}
            </span>
          </label>
        ))}
      </div>
      <p id={`${id}-said`} class={fault ? 'fault' : 'hint'} aria-live="polite">
        {fault ?? hint}
      </p>
    </fieldset>
  )
}
