// A scheduler with a clock that a test sets, and the order in which reads got their turns.
import assert from 'node:assert/strict'
import type { ReadContext } from '../../src/platform/port.ts'
import { LocalScheduler } from '../../src/platform/schedule/scheduler.ts'
import { Problem } from '../../src/problems.ts'
import { createClock, readContext, turns } from './read-context.ts'

export function begin(most = 2) {
  const clock = createClock()
  const order: string[] = []
  let shed = 0
  const governor = new LocalScheduler({ most, steady: clock.steady, shed: () => shed++ })
  const leaves: ((isUsed: boolean) => void)[] = []
  /** waits for a turn in the background; `order` tells who got one, or why not */
  const enter = (name: string, wish: Partial<ReadContext> = {}) => void turnOf(name, wish)
  async function turnOf(name: string, wish: Partial<ReadContext>) {
    try {
      const { leave } = await governor.enter(readContext({ who: name.slice(0, 1), ...wish }))
      order.push(name)
      leaves.push(leave)
    } catch (error) {
      assert.ok(error instanceof Problem)
      order.push(`${name} ${error.code} ${error.extras.retryAfterSec ?? ''}`.trim())
    }
  }
  const leave = async () => {
    leaves.shift()?.(true)
    await turns()
  }
  return { clock, governor, order, enter, leave, shed: () => shed }
}
