// Revocations over two to four replicas with a PostgreSQL and its standby, and what docs/decisions/store-outage.md promises of them.
// The parts that decide are the product's own.
import { runScene, type Scene } from '../../../../base/test/simulator/run-scene.ts'
import type { RunOptions, Subject } from '../../../../base/test/simulator/subject.ts'
import { Callers } from './callers.ts'
import { Oracles } from './oracles.ts'
import { describe, fewer, isFault, type Item, makePlan, type Plan } from './plan.ts'
import { Recovery } from './recovery.ts'
import { World } from './world.ts'

/** by then all replicas serve; then what is used is granted */
const grantsMs = 3_000
/** nothing here lasts longer that is not a caller or a fault; no multiple of 200 ms, at which marks are read and are under way */
const pace = { idleMs: 2_000, awakeMs: 430, longestMs: 60_000 }
/** nothing changes after a caller's answer but what a fault or an act began */
const answeredMs = 450
const tellingMs = 15_000

function createScene(plan: Plan, records = false): Scene<Item> {
  const world = new World(plan, records)
  const { network, redis } = world
  const { simulation } = network
  const oracles = new Oracles(world)
  const callers = new Callers(world, oracles)
  simulation.at(grantsMs, simulation.world, () => callers.grantAll())
  return {
    network,
    redis,
    postgres: world.postgres.servers,
    begin(item) {
      if (isFault(item)) world.faults.begin(item)
      else if (item.kind === 'act') callers.act(item)
      else callers.reads(item)
    },
    calm: () => new Recovery(world, callers).begin(),
    look: () => oracles.look(),
    isIdle(restMs) {
      const isTelling = oracles.isTelling
      const forMs = isTelling ? tellingMs : restMs
      const isAnswered = simulation.now - callers.activeAt >= (isTelling ? tellingMs : answeredMs)
      return !callers.isBusy && !oracles.isDropping && isAnswered && world.faults.isSteady(forMs)
    },
    outcomes: callers.outcomes,
    pace,
  }
}

export const subject: Subject<Item, Plan> = {
  makePlan,
  describe,
  runPlan: (plan: Plan, options?: RunOptions) =>
    runScene(plan, describe(plan), createScene(plan, options?.records), options),
  smaller: fewer,
  usual: ['accepted', 'refused', 'store_unavailable'],
}
