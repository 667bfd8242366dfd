// The quota of one signing key over one to five replicas, with what docs/decisions/replica-quota.md promises of it. The parts that
// decide are the product's own.
import { runScene, type Scene } from '../../../../base/test/simulator/run-scene.ts'
import type { RunOptions, Subject } from '../../../../base/test/simulator/subject.ts'
import { Callers } from './callers.ts'
import { describe, fewer, isFault, type Item, makePlan, type Plan } from './plan.ts'
import { Recovery } from './recovery.ts'
import { QuotaWorld } from './world.ts'

function createScene(plan: Plan): Scene<Item> {
  const world = new QuotaWorld(plan)
  const { network, redis } = world
  const callers = new Callers(world)
  return {
    network,
    redis,
    begin(item) {
      if (isFault(item)) world.fault(item)
      else if (item.kind === 'calls') callers.calls(item)
      else callers.reads(item)
    },
    calm: () => new Recovery(world, callers).begin(),
    look: (everyMs) => world.checkLoad(everyMs),
    isIdle: (forMs) =>
      !callers.isBusy() && network.simulation.now - callers.activeAt >= forMs && world.faults.isSteady(forMs),
    outcomes: callers.outcomes,
  }
}

export const subject: Subject<Item, Plan> = {
  makePlan,
  describe,
  runPlan: (plan: Plan, options?: RunOptions) => runScene(plan, describe(plan), createScene(plan), options),
  smaller: fewer,
  usual: ['made', 'upstream_rate_limited'],
}
