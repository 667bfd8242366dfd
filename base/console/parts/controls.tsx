// What is pressed: buttons, links, and a button that copies.
import type { ComponentChildren, JSX } from 'preact'
import { useSignal } from '@preact/signals'
import { go, hrefOf, type RouteQuery } from '../router.ts'

interface ButtonProps extends Omit<JSX.IntrinsicElements['button'], 'disabled' | 'size'> {
  readonly kind?: 'main' | 'quiet' | 'danger' | 'plain'
  readonly busy?: boolean
  readonly off?: boolean
  readonly children: ComponentChildren
}

export function Button({ kind = 'plain', busy = false, off = false, children, onClick, ...rest }: ButtonProps) {
  const isOff = busy || off
  return (
    <button
      type="button"
      {...rest}
      class={`button ${kind}`}
      // not `disabled`, which would lose the focus
      aria-disabled={isOff}
      aria-busy={busy}
      onClick={(event) => {
        if (isOff) event.preventDefault()
        else if (typeof onClick === 'function') onClick.call(event.currentTarget, event)
      }}
    >
      {children}
    </button>
  )
}

export function CloseButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <button type="button" class="button quiet icon" aria-label="Close" onClick={onClick}>
      ✕
    </button>
  )
}

const shownMs = 2_000

interface CopyProps {
  /** read when it is copied, so that it need not be kept here */
  readonly text: () => string
  readonly label?: string
  readonly kind?: 'quiet' | 'plain'
  readonly onCopied?: () => void
}

export function Copy({ text, label = 'Copy', kind = 'quiet', onCopied }: CopyProps) {
  const result = useSignal('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text())
      result.value = 'Copied'
      onCopied?.()
    } catch {
      result.value = 'Copy failed: select and copy it yourself'
    }
    setTimeout(() => (result.value = ''), shownMs)
  }
  return (
    <Button kind={kind} onClick={() => void copy()}>
      <span aria-live="polite">{result.value || label}</span>
    </Button>
  )
}

interface LinkProps {
  readonly to: string
  readonly names?: RouteQuery
  readonly class?: string
  readonly 'aria-label'?: string
  readonly 'aria-current'?: 'page' | undefined
  readonly children?: ComponentChildren
}

export function Link({ to, names, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go(to, names)
  }
  return (
    <a {...rest} href={hrefOf(to, names)} onClick={follow}>
      {children}
    </a>
  )
}
