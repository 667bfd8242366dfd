// The faults of the platform: slow, far, refusing, silent, and its quota used by others.
import type { Begins } from '../../../../base/test/simulator/faults/running.ts'
import type { PlatformFault } from './plan.ts'
import type { createSimulatedPlatform } from './platform.ts'

export function createPlatformFaults(platform: ReturnType<typeof createSimulatedPlatform>): Begins<PlatformFault> {
  return {
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
    others({ amount }) {
      // more than is left is refused, and not counted
      platform.counts.take(Math.min(Math.floor(amount), platform.counts.left()))
      return undefined
    },
  }
}
