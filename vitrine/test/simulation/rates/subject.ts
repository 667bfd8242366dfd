// The rates of facade keys over one to five replicas, with what docs/decisions/replica-limits.md promises of them.
import { runScene, type Scene } from '../../../../base/test/simulator/run-scene.ts'
import type { RunOptions, Subject } from '../../../../base/test/simulator/subject.ts'
import { Callers } from './callers.ts'
import { describe, fewer, isFault, type Item, makePlan, type Plan, recoveryMs } from './plan.ts'
import { RatesWorld } from './world.ts'

/** of each replica: checks of health are 10 a second at most, with what a new connection asks */
const mostPerSecond = 60
/** of each request: a question, and the script if Redis forgot it */
const mostPerRequest = 3
/** a window ends in time that is left out as in any other */
const pace = { idleMs: 2_500, awakeMs: 2_000, longestMs: Infinity }

function createScene(plan: Plan): Scene<Item> {
  const world = new RatesWorld(plan)
  const { network, redis, faults } = world
  const { simulation } = network
  const callers = new Callers(world)
  let asked = 0

  /** every free request can be had again, and no more */
  function burstAtOnce() {
    for (const node of world.nodes) {
      const replica = world.replicas.get(node)
      if (!replica) world.break('a replica starts again')
      if (replica?.redis?.isUp() === false) world.break('a replica comes back to its Redis')
    }
    for (const [key, limit] of plan.limits.entries())
      callers.burst({ key, count: limit + 3, forMs: 200, node: undefined, retries: true, looks: false })
  }

  return {
    network,
    redis,
    begin(item) {
      if (isFault(item)) faults.begin(item)
      else callers.burst(item)
    },
    calm() {
      simulation.tell('all faults are over')
      simulation.after(recoveryMs + 2.1 * plan.windowMs, burstAtOnce, simulation.world)
    },
    pace,
    look(everyMs) {
      const most = mostPerSecond * plan.replicas * (everyMs / 1_000) + mostPerRequest * callers.begun
      if (redis.commands - asked > most)
        world.break(
          `replicas ask Redis at most ${most} times in ${everyMs / 1_000} s, and not ${redis.commands - asked}`,
        )
      asked = redis.commands
      callers.begun = 0
    },
    isIdle: (forMs) => !callers.isBusy() && simulation.now - callers.activeAt >= forMs && faults.isSteady(forMs),
    outcomes: callers.outcomes,
  }
}

export const subject: Subject<Item, Plan> = {
  makePlan,
  describe,
  runPlan: (plan: Plan, options?: RunOptions) => runScene(plan, describe(plan), createScene(plan), options),
  smaller: fewer,
  usual: ['accepted', 'refused'],
}
