// A link to another page of the console; with a key held down it is a link like any other.
import type { ComponentChildren } from 'preact'
import { go, hrefOf, type Names, type Path } from '../router.ts'

interface LinkProps {
  readonly to: Path
  readonly names?: Names
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
