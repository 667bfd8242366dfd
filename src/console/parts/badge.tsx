// A state in a word; the colour only says it again.
import type { ComponentChildren } from 'preact'
import type { Tone } from './tone.ts'

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>
}
