// Something to be opened: what is in it is drawn once it is.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'

interface FoldProps {
  readonly summary: ComponentChildren
  /** open from the start, or as soon as this comes true; whoever closes it has it closed */
  readonly open?: boolean
  readonly class?: string
  readonly children: () => ComponentChildren
}

export function Fold({ summary, open = false, class: name, children }: FoldProps) {
  const isOpen = useSignal(open)
  useEffect(() => {
    if (open) isOpen.value = true
  }, [open])
  return (
    <details class={name} open={isOpen.value} onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen.value && children()}
    </details>
  )
}
