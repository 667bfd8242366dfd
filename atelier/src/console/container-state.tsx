// A container's name and state, as every page shows them. Names are the caller's own, labels and ids too: text, never markup.
import { Badge, UntrustedText } from '../../../base/console/parts/display.tsx'
import type { Tone } from '../../../base/console/parts/tone.ts'
import type { Container } from './answers.ts'
import { endings } from './explain.ts'

const tones: Readonly<Record<Container['status'], Tone>> = {
  creating: 'accent',
  running: 'good',
  exited: 'idle',
  failed: 'bad',
  deleted: 'idle',
}

export function ContainerState({ item: { status, statusReason, exitCode } }: { readonly item: Container }) {
  const why = statusReason === null ? undefined : endings[statusReason]
  const code = exitCode === null ? '' : `, exit code ${exitCode}`
  return (
    <span title={why === undefined ? undefined : `It is ${status}: ${why}${code}.`}>
      <Badge tone={tones[status]}>{status}</Badge>
    </span>
  )
}

export const nameOf = ({ id, name }: Pick<Container, 'id' | 'name'>): string => name ?? id

export const ContainerName = ({ item }: { readonly item: Container }) => (
  <UntrustedText text={nameOf(item)} mono={item.name === null} />
)
