// Shows an action to those whose role allows it, and to the others why it is not there. The API decides; this only says so first.
import type { ComponentChildren } from 'preact'
import { mayDo, roleName } from '../session.ts'

interface AllowedProps {
  /** id of the operation behind the action */
  readonly operation: string
  /** what the action is for and which role has it; absent: said elsewhere on the page */
  readonly otherwise?: string
  readonly children: ComponentChildren
}

export function Allowed({ operation, otherwise, children }: AllowedProps) {
  if (mayDo(operation)) return <>{children}</>
  if (otherwise === undefined) return null
  return (
    <p class="hint">
      {otherwise} You are signed in as {roleName()}.
    </p>
  )
}
