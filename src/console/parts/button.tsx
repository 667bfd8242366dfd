// A button, which says so while what it started is under way, and cannot start it twice.
import type { ComponentChildren, JSX } from 'preact'

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
      aria-disabled={isOff}
      aria-busy={busy}
      onClick={(event) => {
        // it keeps the focus while it is off, so nobody is thrown to the top of the page
        if (isOff) event.preventDefault()
        else if (typeof onClick === 'function') onClick.call(event.currentTarget, event)
      }}
    >
      {children}
    </button>
  )
}
