// The faults of a PostgreSQL with a hot standby, and of the paths to both: ended, hanging, slow, read-only, an address that leads to
// the standby, a standby that lags, and a failover to one that lags or not.
import type { Network } from '../network.ts'
import type { SimulatedNode } from '../node.ts'
import type { PostgresPair } from '../postgres/pair.ts'
import { createPathFaults, type PathFault, pathKinds } from './paths.ts'
import { type Fault, type FaultKind, shortly } from './plan.ts'
import type { Begins } from './running.ts'

type ServerFault =
  | 'postgres killed'
  | 'postgres gone'
  | 'postgres hanging'
  | 'postgres slow'
  | 'postgres read-only'
  | 'postgres standby'
  | 'postgres lagging'
  | 'failover'
export type PostgresFault = ServerFault | `store ${PathFault}`

const [second, minute] = [1_000, 60_000]

const ofStore = <T>(paths: Readonly<Record<PathFault, T>>): Record<`store ${PathFault}`, T> =>
  Object.fromEntries(Object.entries(paths).map(([kind, of]) => [`store ${kind}`, of])) as Record<
    `store ${PathFault}`,
    T
  >

export function postgresKinds(clients: readonly string[]): Record<PostgresFault, FaultKind> {
  const nodes = ['postgres']
  return {
    'postgres killed': { forMs: shortly, nodes },
    'postgres gone': { forMs: shortly, nodes },
    'postgres hanging': { forMs: shortly, nodes },
    'postgres slow': { forMs: shortly, nodes, amount: [10, 3_000] },
    'postgres read-only': { forMs: [second, 5 * minute], nodes },
    'postgres standby': { forMs: [100, 5 * minute], nodes: [...clients, 'postgres'] },
    'postgres lagging': { forMs: shortly, nodes },
    // how long before its end the former primary sent its last transaction
    failover: { forMs: [second, minute], nodes, amount: [0, 5 * second] },
    ...ofStore(pathKinds(clients, 'postgres')),
  }
}

export interface PostgresFaultParts {
  readonly network: Network
  readonly pair: PostgresPair
  readonly clients: ReadonlyMap<string, SimulatedNode>
}

export function createPostgresFaults({ network, pair, clients }: PostgresFaultParts): Begins<PostgresFault> {
  const { simulation } = network
  const [toA, toB] = pair.servers.map(({ node }) => createPathFaults({ network, server: node, clients }))
  const both = (kind: PathFault) => (fault: Fault) => {
    const ends = [toA?.[kind](fault), toB?.[kind](fault)]
    return () => ends.forEach((end) => end?.())
  }
  function end(isSilent: boolean) {
    const { primary } = pair
    if (primary.node.isDown) return undefined
    primary.kill(isSilent)
    return () => pair.restart(primary)
  }
  return {
    'postgres killed': () => end(false),
    'postgres gone': () => end(true),
    'postgres hanging'() {
      const { primary } = pair
      primary.hang(true)
      return () => primary.hang(false)
    },
    'postgres slow'({ amount }) {
      const { primary } = pair
      primary.mostMs = amount
      return () => (primary.mostMs = 0)
    },
    'postgres read-only'() {
      const { primary } = pair
      primary.isReadOnly = true
      return () => (primary.isReadOnly = false)
    },
    'postgres standby'({ node }) {
      const client = clients.get(node)
      const misled = client ? [client] : [...clients.values()]
      pair.mislead(misled, true)
      return () => pair.mislead(misled, false)
    },
    'postgres lagging'() {
      pair.cutReplication()
      return () => pair.healReplication()
    },
    failover({ amount, forMs }) {
      const { primary } = pair
      pair.cutReplication()
      const kill = () => primary === pair.primary && !primary.node.isDown && primary.kill()
      simulation.after(Math.min(amount, forMs / 2), kill, simulation.world)
      return () => {
        pair.failOver(primary)
        pair.healReplication()
      }
    },
    ...ofStore({
      cut: both('cut'),
      'half-open': both('half-open'),
      slow: both('slow'),
      lossy: both('lossy'),
      split: both('split'),
    }),
  }
}
