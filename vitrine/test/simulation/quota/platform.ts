// The platform on a node of the simulation: counts calls as they arrive, over rolling windows, and answers after a while.
import type { Network } from '../../../../base/test/simulator/network.ts'
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import type { Rates } from '../../../src/platform/schedule/rate-header.ts'
import { createRollingPlatform } from '../../support/rolling-platform.ts'

export interface PlatformAnswer {
  readonly rates: Rates
  readonly isRefusal: boolean
  /** counts the calls in the order of their arrival */
  readonly number: number
  readonly arrivedAt: number
}

export interface SimulatedPlatformOptions {
  readonly network: Network
  readonly limit: number
  readonly perMinute: number | undefined
  readonly thinkMs: readonly [least: number, most: number]
  readonly arrived: (from: SimulatedNode, isOver: boolean) => void
}

export function createSimulatedPlatform(options: SimulatedPlatformOptions) {
  const { network, limit, perMinute, arrived } = options
  const { simulation } = network
  const node = simulation.addNode('platform')
  const random = simulation.random.fork('platform')
  const counts = createRollingPlatform({
    limit,
    ...(perMinute !== undefined && { perMinute }),
    clock: () => simulation.now,
  })
  const state = { thinkMs: options.thinkMs, isSilent: false, isRefusing: false, lateMs: 0 }
  let number = 0

  return {
    node,
    state,
    counts,
    /** `answered` happens at most once, in an event of the caller */
    call(from: SimulatedNode, answered: (answer: PlatformAnswer) => void) {
      const { life } = from
      // a process that ended since has no connection for it
      const answerNow = (answer: PlatformAnswer) => void (from.life === life && answered(answer))
      const arrive = () => {
        const { rates, isRefusal } = state.isRefusing ? { rates: counts.rates(), isRefusal: true } : counts.arrive()
        const answer = { rates, isRefusal, number: ++number, arrivedAt: simulation.now }
        arrived(from, isRefusal && !state.isRefusing)
        if (state.isSilent) return
        simulation.after(
          random.between(...state.thinkMs),
          () => network.send(node, from, () => answerNow(answer)),
          node,
        )
      }
      const lateMs = random.between(0, state.lateMs)
      network.send(from, node, () => (lateMs > 0 ? simulation.after(lateMs, arrive, node) : arrive()))
    },
  }
}
