// Runs the scene of a plan to its end, and says which promise broke. Where nothing waits and nothing changes, only checks of health
// repeat: such time is left out.
import { replaceGlobals, useNetwork } from './globals.ts'
import type { Network } from './network.ts'
import type { PostgresServer } from './postgres/server.ts'
import type { RedisServer } from './redis/server.ts'
import { Broken, type Plan, type Result, type RunOptions } from './subject.ts'

export interface Pace {
  /** after so long without a caller or a fault an installation is idle */
  readonly idleMs: number
  /** so long before the next it is awake again; the scene looks as often */
  readonly awakeMs: number
  /** the most that is left out at once: oracles look now and then in idle time too */
  readonly longestMs: number
}

/** what a subject builds for one run: its nodes, its callers, its faults */
export interface Scene<Item> {
  readonly network: Network
  readonly redis?: RedisServer
  /** they record from their start on */
  readonly postgres?: readonly PostgresServer[]
  /** a caller comes, or a fault begins */
  begin(item: Item): void
  /** nothing is broken from now on */
  calm(): void
  /** called this often, and once in each idle minute */
  look(everyMs: number): void
  /** no caller waits, and for so long none had an answer, and no fault began or ended */
  readonly isIdle: (forMs: number) => boolean
  readonly outcomes: Readonly<Record<string, number>>
  readonly pace?: Pace
}

export interface ScenePlan<Item> extends Plan<Item & { readonly atMs: number }> {
  readonly calmMs: number
  readonly untilMs: number
}

const savesMs = 5 * 60_000
const usualPace: Pace = { idleMs: 20_000, awakeMs: 5_000, longestMs: 60_000 }

/** The end of the idle time that is left out, if any is. */
function skipIdleTime({ network: { simulation }, isIdle }: Scene<never>, pace: Pace): number | undefined {
  const { idleMs, awakeMs, longestMs } = pace
  if (!isIdle(idleMs)) return undefined
  const until = Math.min(simulation.nextOfWorld() - awakeMs, simulation.now + longestMs)
  return until > simulation.now + awakeMs && simulation.skipTo(until) ? until : undefined
}

/** `description` is the first line of the timeline */
export async function runScene<Item>(
  plan: ScenePlan<Item>,
  description: string,
  scene: Scene<Item>,
  { records = false, runsIdleTime = false, keepsStacks = false }: RunOptions = {},
): Promise<Result> {
  const { network, redis, postgres = [], pace = usualPace } = scene
  const { awakeMs } = pace
  const { simulation } = network
  replaceGlobals()
  useNetwork(network)
  if (records && redis) redis.record = []
  simulation.tell(description)
  for (const item of plan.items) simulation.at(item.atMs, simulation.world, () => scene.begin(item))
  simulation.at(plan.calmMs, simulation.world, () => scene.calm())
  let savedAt = 0
  const look = () => {
    scene.look(awakeMs)
    if (simulation.now - savedAt >= savesMs) {
      redis?.save()
      savedAt = simulation.now
    }
    const idleUntil = runsIdleTime ? undefined : skipIdleTime(scene, pace)
    simulation.at(idleUntil ?? simulation.now + awakeMs, simulation.world, look)
  }
  simulation.after(awakeMs, look, simulation.world)
  const { stackTraceLimit } = Error
  if (!keepsStacks) Error.stackTraceLimit = 0
  await simulation.run(plan.untilMs)
  Error.stackTraceLimit = stackTraceLimit
  const { failure, hash, events, story } = simulation
  if (failure !== undefined && !(failure instanceof Broken)) throw failure
  const recorded = redis?.record ?? []
  const recordedOnPostgres = postgres.flatMap((server) => (server.recorded ? [server.recorded] : []))
  const { outcomes } = scene
  return { hash, events, story, broken: failure?.message, outcomes, recorded, recordedOnPostgres }
}
