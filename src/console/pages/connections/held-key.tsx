// What is shown of a private key that was handed over: its file, its size, its fingerprint, and who has the same.
import type { ComponentChildren } from 'preact'
import { counted } from '../../numbers.ts'
import { Badge } from '../../parts/badge.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import type { Held, KeyState } from './key-in-hand.ts'

const Name = ({ held: { name, bytes } }: { readonly held: Held }) => (
  <>
    {name === undefined ? 'A pasted key' : <Foreign text={name} />}, {counted(bytes, 'byte')}
  </>
)

/** `own`: the connection that it is given to, which may have it already */
export function HeldKey({
  now,
  own,
}: {
  readonly now: KeyState
  readonly own?: string | undefined
}): ComponentChildren {
  if (now.state === 'none') return <p class="soft">No key yet.</p>
  if (now.state === 'looking')
    return (
      <p>
        <Name held={now.held} /> <span class="soft">is being looked at…</span>
      </p>
    )
  if (now.state === 'unseen')
    return (
      <p>
        <Name held={now.held} />. <span class="soft">It could not be looked at: {now.refusal.message}</span>
      </p>
    )
  const { fingerprint } = now.found
  const usedBy = now.found.usedBy.filter((id) => id !== own)
  return (
    <>
      <p>
        <Name held={now.held} /> <Badge tone="good">usable</Badge>
      </p>
      <p>
        <span class="soft">Fingerprint</span> <span class="mono connections-print">{fingerprint}</span>
      </p>
      {usedBy.length > 0 && (
        <p class="connections-same">
          {usedBy.length === 1 ? 'This connection has' : `${counted(usedBy.length, 'connection')} have`} the same key:{' '}
          {usedBy.slice(0, 5).join(', ')}
          {usedBy.length > 5 && ` and ${usedBy.length - 5} more`}. They share its quota.
        </p>
      )}
    </>
  )
}
