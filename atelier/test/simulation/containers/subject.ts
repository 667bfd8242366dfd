// The containers of one service, whose process, store and engine die, lie and come back: a plan from a seed, and its run.
import { runScene } from '../../../../base/test/simulator/run-scene.ts'
import type { Subject } from '../../../../base/test/simulator/subject.ts'
import { describe, type Item, makePlan, type Plan } from './plan.ts'
import { ContainersWorld } from './world.ts'

export const subject: Subject<Item, Plan> = {
  makePlan,
  describe,
  async runPlan(plan, options) {
    const world = new ContainersWorld(plan)
    const result = await runScene(plan, describe(plan), world, options)
    world.store.close()
    return result
  },
  smaller: (item) => ('copies' in item && item.copies > 1 ? [{ ...item, copies: 1 }] : []),
  usual: ['200', '201'],
}
