// Copies a text, and says whether that worked: a page over plain http may have to ask people to do it by hand.
import { useSignal } from '@preact/signals'
import { Button } from './button.tsx'

const shownMs = 2_000

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

interface CopyProps {
  /** read when it is copied, so that it need not be kept here */
  readonly text: () => string
  readonly label?: string
  readonly kind?: 'quiet' | 'plain'
  /** it worked */
  readonly onCopied?: () => void
}

export function Copy({ text, label = 'Copy', kind = 'quiet', onCopied }: CopyProps) {
  const said = useSignal('')
  const act = async () => {
    const worked = await copy(text())
    said.value = worked ? 'Copied' : 'Select it, and copy by hand'
    if (worked) onCopied?.()
    setTimeout(() => (said.value = ''), shownMs)
  }
  return (
    <Button kind={kind} onClick={() => void act()}>
      <span aria-live="polite">{said.value || label}</span>
    </Button>
  )
}
