// A governor with a clock that a test moves, and the order in which errands got their turns.
import assert from 'node:assert/strict'
import type { Errand } from '../../src/engine/port.ts'
import { createGovernor } from '../../src/platform/governor.ts'
import { Problem } from '../../src/problem.ts'
import { createClock, errand, turns } from './errands.ts'

export function begin(most = 2) {
  const clock = createClock()
  const order: string[] = []
  let shed = 0
  const governor = createGovernor({ most, steady: clock.steady, shed: () => shed++ })
  const leaves: ((isUsed: boolean) => void)[] = []
  /** waits for a turn in the background; `order` tells who got one, or why not */
  const enter = (name: string, wish: Partial<Errand> = {}) => void turnOf(name, wish)
  async function turnOf(name: string, wish: Partial<Errand>) {
    try {
      const { leave } = await governor.enter(errand({ who: name.slice(0, 1), ...wish }))
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
