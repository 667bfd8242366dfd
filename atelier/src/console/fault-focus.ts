// Moves the focus to the first field of a form that is at fault, once it is drawn.
import type { ReadonlySignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

export type Faults = Readonly<Partial<Record<string, string>>>

export function useFaultFocus(faults: ReadonlySignal<Faults>) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (Object.keys(faults.value).length === 0) return
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    const control = wrong?.matches('fieldset') ? wrong.querySelector<HTMLElement>('input') : wrong
    control?.focus()
  }, [faults.value])
  return form
}
