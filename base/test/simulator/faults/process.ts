// The faults of a process: killed, vanished with its machine, stopped and woken, with a clock that drifts.
import type { Network } from '../network.ts'
import type { SimulatedNode } from '../node.ts'
import { type FaultKind, shortly } from './plan.ts'
import type { Begins } from './running.ts'

export type ProcessFault = 'kill' | 'vanish' | 'stop' | 'drift'

export const processKinds = (nodes: readonly string[]): Record<ProcessFault, FaultKind> => ({
  kill: { forMs: shortly, nodes },
  vanish: { forMs: shortly, nodes },
  stop: { forMs: [20, 2 * 60_000], nodes },
  drift: { forMs: shortly, nodes, amount: [0.995, 1.005] },
})

export interface ProcessFaultParts {
  readonly network: Network
  readonly nodes: ReadonlyMap<string, SimulatedNode>
  /** the process begins anew */
  readonly start: (node: SimulatedNode) => void
  /** it is gone, with all that it knew */
  readonly ended: (node: SimulatedNode) => void
}

export function createProcessFaults({ network, nodes, start, ended }: ProcessFaultParts): Begins<ProcessFault> {
  const { simulation } = network
  const nodeOf = (name: string): SimulatedNode => {
    const node = nodes.get(name)
    if (!node) throw new Error(`no process ${name}`)
    return node
  }
  function end(node: SimulatedNode, isSilent: boolean) {
    if (node.isDown) return () => {}
    network.dropAll(node, isSilent)
    simulation.kill(node)
    ended(node)
    return () => node.isDown && start(node)
  }
  return {
    kill: ({ node }) => end(nodeOf(node), false),
    vanish: ({ node }) => end(nodeOf(node), true),
    stop({ node }) {
      simulation.stop(nodeOf(node))
      return () => simulation.wake(nodeOf(node))
    },
    drift({ node, amount }) {
      nodeOf(node).drift(amount)
      return () => nodeOf(node).drift(1)
    },
  }
}
