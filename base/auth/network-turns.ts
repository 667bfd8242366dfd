// Lets so many look-ups of one network be under way, and the others wait: a failure counts only when its look-up is over, and a network
// has thousands under way before it is locked out.
import { networkOf } from '../core/network.ts'

type Act<T> = (hasWaited: boolean) => Promise<T>

export function createNetworkTurns(most: number) {
  const networks = new Map<string, { inside: number; readonly waiting: (() => void)[] }>()
  return async <T>(from: string, isExempt: () => boolean, act: Act<T>): Promise<T> => {
    const name = networkOf(from)
    const network = networks.get(name) ?? { inside: 0, waiting: [] }
    networks.set(name, network)
    const mustWait = network.inside >= most && !isExempt()
    if (mustWait) await new Promise<void>((ok) => network.waiting.push(ok))
    else network.inside++
    try {
      return await act(mustWait)
    } finally {
      // the place of an exempt one beyond the bound goes
      const next = network.inside > most ? undefined : network.waiting.shift()
      if (next) next()
      else if (--network.inside === 0) networks.delete(name)
    }
  }
}
