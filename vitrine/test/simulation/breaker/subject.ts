// The breaker of one connection over one to five replicas, with what docs/decisions/platform-trouble.md promises of it. The parts that
// decide are the product's own.
import { runScene, type Scene } from '../../../../base/test/simulator/run-scene.ts'
import type { RunOptions, Subject } from '../../../../base/test/simulator/subject.ts'
import { describe, isFault, type Item, makePlan, type Plan } from './plan.ts'
import { BreakerWorld } from './world.ts'

function createScene(plan: Plan): Scene<Item> {
  const world = new BreakerWorld(plan)
  const { network, redis, simulation, faults } = world
  return {
    network,
    redis,
    begin: (item) => (isFault(item) ? faults.begin(item) : world.calls(item)),
    calm: () => world.calm(),
    look: () => {},
    isIdle: (forMs) =>
      !world.isBusy() &&
      simulation.now - world.activeAt >= forMs &&
      faults.isSteady(world.isLinked() ? forMs : 4 * forMs),
    outcomes: world.outcomes,
    // no breaker changes without a caller
    pace: { idleMs: 5_000, awakeMs: 2_000, longestMs: 10 * 60_000 },
  }
}

export const subject: Subject<Item, Plan> = {
  makePlan,
  describe,
  runPlan: (plan: Plan, options?: RunOptions) => runScene(plan, describe(plan), createScene(plan), options),
  usual: ['alive', 'down', 'refused'],
}
