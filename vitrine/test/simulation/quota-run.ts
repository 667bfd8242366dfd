// Runs a plan over the quota of one signing key, and says which promise broke. The parts that decide are the product's own.
import { replaceGlobals, useNetwork } from '../../../base/test/simulator/globals.ts'
import type { Recorded } from '../../../base/test/simulator/redis/server.ts'
import type { Told } from '../../../base/test/simulator/simulation.ts'
import { Callers } from './quota-callers.ts'
import { describe, type Item, type Plan } from './quota-plan.ts'
import { Recovery } from './quota-recovery.ts'
import { Broken, isFault, QuotaWorld } from './quota-world.ts'

export interface Result {
  /** of all that happened */
  readonly hash: number
  readonly events: number
  readonly broken: string | undefined
  readonly story: readonly Told[]
  readonly outcomes: Readonly<Record<string, number>>
  readonly recorded: readonly Recorded[]
}

export interface RunOptions {
  /** whether the commands of Redis are kept, to be compared with a real one */
  readonly records?: boolean
  /** idle time is run too, with its checks of health */
  readonly runsIdleTime?: boolean
  /** errors have a stack: it takes an eighth of the time, as Redis refuses often */
  readonly keepsStacks?: boolean
}

const savesMs = 5 * 60_000
/** after so long without a caller or a fault an installation is idle; and how long before the next it is awake again */
const [idleMs, awakeMs] = [40_000, 5_000]
const betweenMessagesMs = 7

function repeat(everyMs: number, { simulation }: QuotaWorld, act: () => void) {
  const run = () => {
    act()
    simulation.after(everyMs, run, simulation.world)
  }
  simulation.after(everyMs, run, simulation.world)
}

/** Where nothing waits and nothing changes, only checks of health repeat: such time is left out. */
function skipIdleTime(world: QuotaWorld, callers: Callers, tries = 10) {
  const { simulation } = world
  if (callers.isBusy() || simulation.now - callers.activeAt < idleMs || !world.isSteady(idleMs)) return
  const next = simulation.nextOfWorld() - awakeMs
  if (next <= simulation.now + awakeMs || simulation.skipTo(next) || tries === 0) return
  simulation.after(betweenMessagesMs, () => skipIdleTime(world, callers, tries - 1), simulation.world)
}

export async function runPlan(plan: Plan, options: RunOptions = {}): Promise<Result> {
  const { records = false, runsIdleTime = false, keepsStacks = false } = options
  replaceGlobals()
  const world = new QuotaWorld(plan, records)
  useNetwork(world.network)
  const { simulation, redis } = world
  const callers = new Callers(world)
  const begin = (item: Item) => {
    if (isFault(item)) world.fault(item)
    else if (item.kind === 'calls') callers.calls(item)
    else callers.reads(item)
  }
  simulation.tell(describe(plan))
  for (const item of plan.items) simulation.at(item.atMs, simulation.world, () => begin(item))
  simulation.at(plan.calmMs, simulation.world, () => new Recovery(world, callers).begin())
  repeat(savesMs, world, () => redis.save())
  repeat(awakeMs, world, () => {
    world.checkLoad(awakeMs)
    if (!runsIdleTime) skipIdleTime(world, callers)
  })
  const { stackTraceLimit } = Error
  if (!keepsStacks) Error.stackTraceLimit = 0
  await simulation.run(plan.untilMs)
  Error.stackTraceLimit = stackTraceLimit
  const { failure, hash, events, story } = simulation
  if (failure !== undefined && !(failure instanceof Broken)) throw failure
  return { hash, events, story, broken: failure?.message, outcomes: callers.outcomes, recorded: redis.record ?? [] }
}
