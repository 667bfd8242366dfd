// The least of a plan with which the same promise breaks: the fewest items, and of each the smallest form.
import { shrink } from './shrink.ts'
import type { Plan, Result, Subject } from './subject.ts'

/** numbers in it may differ */
const kindOf = (promise: string | undefined): string | undefined => promise?.replaceAll(/\d+/g, 'n')

export interface Shrunk {
  readonly plan: Plan
  readonly result: Result
}

export async function shrinkPlan(subject: Subject, plan: Plan, promise: string): Promise<Shrunk> {
  let least: Shrunk = { plan, result: await subject.runPlan(plan) }
  async function breaks(items: readonly unknown[]): Promise<boolean> {
    const smaller = { ...plan, items }
    const result = await subject.runPlan(smaller)
    const isSame = kindOf(result.broken) === kindOf(promise)
    if (isSame) least = { plan: smaller, result }
    return isSame
  }
  let items = await shrink(plan.items, breaks)
  for (const [i, item] of items.entries())
    for (const small of subject.smaller?.(item) ?? []) {
      const fewer = items.with(i, small)
      if (!(await breaks(fewer))) continue
      items = fewer
      break
    }
  return least
}
