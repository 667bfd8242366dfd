// What is known of a container.
import { whole } from '../../../../../base/console/format.ts'
import { Facts, RelativeTime, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import type { Container } from '../../answers.ts'
import { ContainerState } from '../../container-state.tsx'
import { endings } from '../../explain.ts'
import { memory, span } from '../../units.ts'

function Labels({ labels }: Pick<Container, 'labels'>) {
  const pairs = Object.entries(labels)
  if (pairs.length === 0) return <span class="soft">none</span>
  return (
    <ul>
      {pairs.map(([name, value]) => (
        <li key={name}>
          <UntrustedText text={`${name}=${value}`} mono />
        </li>
      ))}
    </ul>
  )
}

function State({ item }: { readonly item: Container }) {
  const { statusReason, exitCode } = item
  return (
    <>
      <ContainerState item={item} />
      {statusReason !== null && <span class="soft"> {endings[statusReason]}</span>}
      {exitCode !== null && <span class="soft">, exit code {exitCode}</span>}
    </>
  )
}

/** quoted where it would not be clear where an argument ends */
const argument = (text: string): string => (/^[\w./:=@%+-]+$/.test(text) ? text : JSON.stringify(text))

function Command({ command }: Pick<Container, 'command'>) {
  if (command === null) return <span class="soft">none: it waits for commands</span>
  return <UntrustedText text={command.map(argument).join(' ')} mono />
}

const limitsOf = ({ cpu, memoryMiB, pids, diskMiB }: Container['limits']): string =>
  `${whole(cpu)} CPUs, ${memory(memoryMiB)} memory, ${memory(diskMiB)} disk, ${whole(pids)} processes`

const envText = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '))

export function ContainerFacts({ item }: { readonly item: Container }) {
  const { id, image, command, user, workingDir, envNames, labels, limits, network, readOnlyRootfs } = item
  const isOver = item.status !== 'running'
  return (
    <Facts
      of={{
        State: <State item={item} />,
        ID: <span class="mono">{id}</span>,
        Image: <UntrustedText text={image.name} />,
        Command: <Command command={command} />,
        Limits: limitsOf(limits),
        Network: network === 'egress' ? 'outgoing connections' : 'none',
        'Root files': readOnlyRootfs ? 'read-only' : 'writable',
        User: user,
        Directory: <UntrustedText text={workingDir} mono />,
        Environment: <UntrustedText text={envText(envNames)} mono />,
        Labels: <Labels labels={labels} />,
        Created: <RelativeTime iso={item.createdAt} />,
        'Last activity': <RelativeTime iso={item.lastActivityAt} />,
        Ends: isOver ? <span class="soft">–</span> : <RelativeTime iso={item.expiresAt} />,
        'When idle': item.idleTimeoutSeconds === null ? 'stays' : `ends after ${span(item.idleTimeoutSeconds)}`,
      }}
    />
  )
}
