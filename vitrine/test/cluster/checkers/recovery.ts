// After the last fault every replica serves again soon, without any help.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Checker, createFaults } from './checker.ts'

export interface Recovery extends Checker {
  /** waits for one replica to answer with 200, `times` in a row */
  await(replica: string, ask: () => Promise<number>, times?: number): Promise<number>
}

export function createRecovery(promisedMs = 6_000): Recovery {
  const faults = createFaults()
  return {
    promise: `every replica serves again within ${promisedMs} ms after the last fault`,
    async await(replica, ask, times = 3) {
      const begunAt = performance.now()
      let [inARow, firstAt] = [0, begunAt]
      while (inARow < times) {
        const status = await ask()
        if (status === 200 && inARow++ === 0) firstAt = performance.now()
        if (status !== 200) inARow = 0
        if (performance.now() - begunAt > promisedMs) {
          if (inARow === 0) faults.add(`${replica} still answers ${status} after ${promisedMs} ms`)
          else if (inARow < times) faults.add(`${replica} answers only now and then after ${promisedMs} ms`)
          break
        }
        await sleep(20)
      }
      return firstAt - begunAt
    },
    faults: faults.all,
  }
}
