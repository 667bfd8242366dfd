// The faults of the paths between a server and those that use it: cut, half-open, slow, losing, splitting. One that names the
// server concerns all of them.
import type { Network, Path } from '../network.ts'
import { wholePath } from '../network.ts'
import type { SimulatedNode } from '../node.ts'
import { type FaultKind, shortly } from './plan.ts'
import type { Begins } from './running.ts'

export type PathFault = 'cut' | 'half-open' | 'slow' | 'lossy' | 'split'

export const pathKinds = (clients: readonly string[], server: string): Record<PathFault, FaultKind> => ({
  cut: { forMs: shortly, nodes: [...clients, server] },
  'half-open': { forMs: shortly, nodes: clients },
  slow: { forMs: shortly, nodes: [...clients, server], amount: [5, 200] },
  lossy: { forMs: shortly, nodes: clients, amount: [0.01, 0.3] },
  split: { forMs: shortly, nodes: clients, amount: [0.05, 0.9] },
})

export interface PathFaultParts {
  readonly network: Network
  readonly server: SimulatedNode
  readonly clients: ReadonlyMap<string, SimulatedNode>
}

export function createPathFaults({ network, server, clients }: PathFaultParts): Begins<PathFault> {
  const endsOf = (name: string): SimulatedNode[] => {
    const client = clients.get(name)
    return client ? [client] : [...clients.values()]
  }

  function change<M extends keyof Path>(name: string, member: M, value: Path[M]) {
    const paths = endsOf(name).flatMap((end) => [network.path(end, server), network.path(server, end)])
    for (const path of paths) path[member] = value
    return () => {
      for (const path of paths) path[member] = wholePath()[member]
    }
  }

  function cut(name: string, isOneWay: boolean) {
    const ends = endsOf(name)
    for (const end of ends) network.cut(server, end, isOneWay)
    return () => ends.forEach((end) => network.heal(server, end))
  }

  return {
    cut: ({ node }) => cut(node, false),
    'half-open': ({ node }) => cut(node, true),
    slow: ({ node, amount }) => change(node, 'delayMs', [wholePath().delayMs[0], amount]),
    lossy: ({ node, amount }) => change(node, 'loss', amount),
    split: ({ node, amount }) => change(node, 'splits', amount),
  }
}
