// Makes each kind of fault happen to the service, its engine and its store, and ends it.
import { createProcessFaults } from '../../../../base/test/simulator/faults/process.ts'
import type { Begins } from '../../../../base/test/simulator/faults/running.ts'
import type { Network } from '../../../../base/test/simulator/network.ts'
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import { instance, type Made, type SimulatedEngine } from './engine.ts'
import { type Ills, noIlls } from './engine-ills.ts'
import type { EngineFault, FaultName, StoreFault } from './plan.ts'
import type { SimulatedStore } from './store.ts'

export interface FaultParts {
  readonly network: Network
  readonly engine: SimulatedEngine
  readonly store: SimulatedStore
  readonly service: SimulatedNode
  readonly start: (node: SimulatedNode) => void
  readonly ended: (node: SimulatedNode) => void
  /** ends as after SIGTERM */
  readonly leave: () => void
  /** what is called at each thing that the engine or the store does for the service */
  readonly acts: { noted: () => void }
  /** it is no longer at the engine, or no longer runs, and nobody asked for it */
  readonly lost: (made: Made) => void
}

function createEngineFaults({ network, engine, lost }: FaultParts): Begins<EngineFault> {
  const { simulation } = network
  let strangers = 0
  function ill<M extends keyof Ills>(member: M, value: Ills[M]) {
    engine.ills[member] = value
    return () => void (engine.ills[member] = noIlls()[member])
  }
  function die(keepsContainers: boolean) {
    if (engine.node.isDown) return () => {}
    if (!keepsContainers) for (const made of engine.containers.values()) lost(made)
    engine.die(keepsContainers)
    return () => engine.start()
  }
  const oneOf = (amount: number): Made | undefined => {
    const own = [...engine.containers.values()].filter(
      ({ name, state }) => name.startsWith('ct_') && state === 'running',
    )
    return own[Math.floor(amount * own.length)]
  }
  return {
    'engine killed': () => die(false),
    'engine restarted': () => die(true),
    'engine stopped'() {
      simulation.stop(engine.node)
      return () => simulation.wake(engine.node)
    },
    'engine slow': ({ amount }) => ill('slowMs', amount),
    'engine refuses': ({ amount }) => ill('refuses', amount),
    'engine denies': ({ amount }) => ill('denies', amount),
    'engine drops': ({ amount }) => ill('drops', amount),
    'engine silent': ({ amount }) => ill('silent', amount),
    'engine late': ({ amount }) => ill('late', amount),
    'connections closed'() {
      engine.disconnect()
      return undefined
    },
    'events lost': ({ amount }) => ill('hides', amount),
    'list of the past': () =>
      ill(
        'staleList',
        [...engine.containers.values()].map((made) => ({ ...made })),
      ),
    'image gone': () => ill('hasNoImage', true),
    exits({ amount }) {
      const made = oneOf(amount)
      if (!made) return undefined
      lost(made)
      simulation.tell(`${made.name} exits`)
      engine.exit(made, 3)
      return undefined
    },
    vanishes({ amount }) {
      const made = oneOf(amount)
      if (!made) return undefined
      lost(made)
      simulation.tell(`${made.name} vanishes`)
      engine.vanish(made)
      return undefined
    },
    /** one of another program, one of another instance, and one with our labels of which no row knows */
    strangers() {
      strangers++
      const labels = (ours: string, id: string) => ({
        'atelier.instance': ours,
        'atelier.id': id,
        'atelier.kind': 'container',
      })
      engine.add(`other-${strangers}`, {}, 'running')
      engine.add(`ct_theirs${strangers}`, labels('theirs', `ct_theirs${strangers}`), 'running')
      engine.add(`copy-${strangers}`, labels(instance, `ct_copy${strangers}`), 'exited')
      return undefined
    },
  }
}

function createStoreFaults(store: SimulatedStore): Begins<StoreFault> {
  const { slowMs, refuses, denies } = store
  const usual = { slowMs, refuses, denies }
  const change = (member: keyof typeof usual, value: number) => {
    store[member] = value
    return () => void (store[member] = usual[member])
  }
  return {
    'store slow': ({ amount }) => change('slowMs', amount),
    'store refuses': ({ amount }) => change('refuses', amount),
    'store denies': ({ amount }) => change('denies', amount),
  }
}

export function createFaults(parts: FaultParts): Begins<FaultName> {
  const { network, service, start, ended, leave, acts } = parts
  const { kill, stop, drift } = createProcessFaults({ network, nodes: new Map([['service', service]]), start, ended })
  return {
    kill,
    stop,
    drift,
    restart(fault) {
      if (service.isDown || service.isStopped) return undefined
      const { simulation } = network
      let revive: (() => void) | undefined
      simulation.after(0, leave, service)
      simulation.after(10, () => (revive = kill(fault)), simulation.world)
      return () => revive?.()
    },
    'killed in an act'(fault) {
      const { simulation } = network
      let left = Math.floor(fault.amount)
      let revive: (() => void) | undefined
      const die = () => {
        simulation.tell('service: killed in an act')
        revive = kill(fault)
      }
      acts.noted = () => void (--left === 0 && simulation.at(simulation.now, simulation.world, die))
      return () => {
        acts.noted = () => {}
        revive?.()
      }
    },
    clock({ amount }) {
      service.step(amount)
      return undefined
    },
    ...createEngineFaults(parts),
    ...createStoreFaults(parts.store),
  }
}
