// Makes each kind of fault happen to the parts of a run, and ends it.
import type { Network, Path } from '../../../base/test/simulator/network.ts'
import type { SimulatedNode } from '../../../base/test/simulator/node.ts'
import type { Fault } from '../../../base/test/simulator/faults.ts'
import type { Refusal } from '../../../base/test/simulator/redis/store.ts'
import type { RedisServer } from '../../../base/test/simulator/redis/server.ts'
import type { FaultName } from './quota-plan.ts'
import type { createSimulatedPlatform } from './simulated-platform.ts'

export interface FaultParts {
  readonly network: Network
  readonly redis: RedisServer
  readonly platform: ReturnType<typeof createSimulatedPlatform>
  readonly replicas: ReadonlyMap<string, SimulatedNode>
  readonly start: (node: SimulatedNode) => void
  readonly ended: (node: SimulatedNode) => void
  /** the quota in Redis is not what was told to it */
  readonly forgot: () => void
}

/** begins a fault, and returns what ends it */
type Begin = (fault: Fault) => (() => void) | undefined

const nothing = () => {}

export function createFaults(parts: FaultParts): Readonly<Record<FaultName, Begin>> {
  const { network, redis, platform, replicas } = parts
  const { simulation } = network
  const nodeOf = (name: string): SimulatedNode => replicas.get(name) ?? redis.node

  /** changes the paths between Redis and a replica, or all replicas */
  function changePaths(name: string, change: (path: Path) => void, restore: (path: Path) => void) {
    const ends = nodeOf(name) === redis.node ? [...replicas.values()] : [nodeOf(name)]
    const paths = ends.flatMap((end) => [network.path(end, redis.node), network.path(redis.node, end)])
    for (const path of paths) change(path)
    return () => paths.forEach(restore)
  }

  function cut(name: string, isOneWay: boolean) {
    const ends = nodeOf(name) === redis.node ? [...replicas.values()] : [nodeOf(name)]
    for (const end of ends) network.cut(redis.node, end, isOneWay)
    return () => ends.forEach((end) => network.heal(redis.node, end))
  }

  function endProcess(node: SimulatedNode, isSilent: boolean) {
    if (node.isDown) return nothing
    network.dropAll(node, isSilent)
    simulation.kill(node)
    parts.ended(node)
    return () => node.isDown && parts.start(node)
  }

  function stop(node: SimulatedNode) {
    simulation.stop(node)
    return () => simulation.wake(node)
  }

  function refuse(refusal: Refusal) {
    if (refusal === 'READONLY') redis.disconnectAll()
    redis.refuse(refusal)
    return () => redis.refuse(undefined)
  }

  function restart(isEmpty: boolean) {
    const copy = isEmpty ? undefined : redis.olderCopy()
    redis.kill()
    return () => {
      parts.forgot()
      redis.start(copy)
    }
  }

  const once = (act: () => void) => (act(), undefined)
  return {
    kill: ({ node }) => endProcess(nodeOf(node), false),
    vanish: ({ node }) => endProcess(nodeOf(node), true),
    stop: ({ node }) => stop(nodeOf(node)),
    drift({ node, amount }) {
      nodeOf(node).drift(amount)
      return () => nodeOf(node).drift(1)
    },
    cut: ({ node }) => cut(node, false),
    'half-open': ({ node }) => cut(node, true),
    slow: ({ node, amount }) =>
      changePaths(
        node,
        (path) => (path.delayMs = [0.2, amount]),
        (path) => (path.delayMs = [0.2, 1.5]),
      ),
    lossy: ({ node, amount }) =>
      changePaths(
        node,
        (path) => (path.loss = amount),
        (path) => (path.loss = 0),
      ),
    split: ({ node, amount }) =>
      changePaths(
        node,
        (path) => (path.splits = amount),
        (path) => (path.splits = 0),
      ),
    'platform slow'({ amount }) {
      const { thinkMs } = platform.state
      platform.state.thinkMs = [amount / 2, amount]
      return () => (platform.state.thinkMs = thinkMs)
    },
    'platform refusing'() {
      platform.state.isRefusing = true
      return () => (platform.state.isRefusing = false)
    },
    'platform far'({ amount }) {
      platform.state.lateMs = amount
      return () => (platform.state.lateMs = 0)
    },
    'platform silent'() {
      platform.state.isSilent = true
      return () => (platform.state.isSilent = false)
    },
    others: ({ amount }) => once(() => platform.counts.take(Math.floor(amount))),
    'redis empty': () => restart(true),
    'redis older': () => restart(false),
    'redis full': () => refuse('OOM'),
    'redis demoted': () => refuse('READONLY'),
    'redis stopped': () => stop(redis.node),
    'redis clock': ({ amount }) => once(() => redis.node.step(amount)),
    'redis drift'({ amount }) {
      redis.node.drift(amount)
      return () => redis.node.drift(1)
    },
  }
}
