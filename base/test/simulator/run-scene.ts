// Runs the scene of a plan to its end, and says which promise broke. Where nothing waits and nothing changes, only checks of health
// repeat: such time is left out.
import { replaceGlobals, useNetwork } from './globals.ts'
import type { Network } from './network.ts'
import type { RedisServer } from './redis/server.ts'
import { Broken, type Plan, type Result, type RunOptions } from './subject.ts'

/** what a subject builds for one run: its nodes, its callers, its faults */
export interface Scene<Item> {
  readonly network: Network
  readonly redis?: RedisServer
  /** a caller comes, or a fault begins */
  begin(item: Item): void
  /** nothing is broken from now on */
  calm(): void
  /** called this often */
  look(everyMs: number): void
  /** no caller waits, none had an answer for so long, and no fault begins or ends within it */
  isIdle(forMs: number): boolean
  readonly outcomes: Readonly<Record<string, number>>
}

export interface ScenePlan<Item> extends Plan<Item & { readonly atMs: number }> {
  readonly calmMs: number
  readonly untilMs: number
}

const savesMs = 5 * 60_000
/** after so long without a caller or a fault an installation is idle; and how long before the next it is awake again */
const [idleMs, awakeMs] = [40_000, 5_000]
const betweenMessagesMs = 7

function repeat(everyMs: number, { network: { simulation } }: Scene<never>, act: () => void) {
  const run = () => {
    act()
    simulation.after(everyMs, run, simulation.world)
  }
  simulation.after(everyMs, run, simulation.world)
}

function skipIdleTime(scene: Scene<never>, tries = 10) {
  const { simulation } = scene.network
  if (!scene.isIdle(idleMs)) return
  const next = simulation.nextOfWorld() - awakeMs
  if (next <= simulation.now + awakeMs || simulation.skipTo(next) || tries === 0) return
  simulation.after(betweenMessagesMs, () => skipIdleTime(scene, tries - 1), simulation.world)
}

/** `description` is the first line of the timeline */
export async function runScene<Item>(
  plan: ScenePlan<Item>,
  description: string,
  scene: Scene<Item>,
  { records = false, runsIdleTime = false, keepsStacks = false }: RunOptions = {},
): Promise<Result> {
  const { network, redis } = scene
  const { simulation } = network
  replaceGlobals()
  useNetwork(network)
  if (records && redis) redis.record = []
  simulation.tell(description)
  for (const item of plan.items) simulation.at(item.atMs, simulation.world, () => scene.begin(item))
  simulation.at(plan.calmMs, simulation.world, () => scene.calm())
  if (redis) repeat(savesMs, scene, () => redis.save())
  repeat(awakeMs, scene, () => {
    scene.look(awakeMs)
    if (!runsIdleTime) skipIdleTime(scene)
  })
  const { stackTraceLimit } = Error
  if (!keepsStacks) Error.stackTraceLimit = 0
  await simulation.run(plan.untilMs)
  Error.stackTraceLimit = stackTraceLimit
  const { failure, hash, events, story } = simulation
  if (failure !== undefined && !(failure instanceof Broken)) throw failure
  return { hash, events, story, broken: failure?.message, outcomes: scene.outcomes, recorded: redis?.record ?? [] }
}
