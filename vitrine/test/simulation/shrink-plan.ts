// The least of a plan with which the same promise breaks: the fewest callers and faults, and of callers the fewest calls.
import { shrink } from '../../../base/test/simulator/shrink.ts'
import type { Item, Plan } from './quota-plan.ts'
import { type Result, runPlan } from './quota-run.ts'

/** numbers in it may differ */
const kindOf = (promise: string | undefined): string | undefined => promise?.replaceAll(/\d+/g, 'n')

export interface Shrunk {
  readonly plan: Plan
  readonly result: Result
}

export async function shrinkPlan(plan: Plan, promise: string): Promise<Shrunk> {
  let least: Shrunk = { plan, result: await runPlan(plan) }
  async function breaks(items: readonly Item[]): Promise<boolean> {
    const smaller = { ...plan, items }
    const result = await runPlan(smaller)
    const isSame = kindOf(result.broken) === kindOf(promise)
    if (isSame) least = { plan: smaller, result }
    return isSame
  }
  let items = await shrink(plan.items, breaks)
  for (const [i, item] of items.entries())
    for (let count = 1; item.kind !== 'calls' && item.kind !== 'reads' ? false : count < item.count; count *= 2) {
      const fewer = items.with(i, { ...item, count } as Item)
      if (!(await breaks(fewer))) continue
      items = fewer
      break
    }
  return least
}
