// A fact of a card or of the strip: its name, and below it what is so.
import type { ComponentChildren } from 'preact'

export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
