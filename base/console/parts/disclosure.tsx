// Something to be opened; its content is drawn once it is.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'

interface DisclosureProps {
  readonly summary: ComponentChildren
  /** opens it at first, or once this becomes true; it can be closed again */
  readonly open?: boolean
  readonly class?: string
  readonly children: () => ComponentChildren
}

export function Disclosure({ summary, open = false, class: className, children }: DisclosureProps) {
  const isOpen = useSignal(open)
  useEffect(() => {
    if (open) isOpen.value = true
  }, [open])
  return (
    <details class={className} open={isOpen.value} onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen.value && children()}
    </details>
  )
}
