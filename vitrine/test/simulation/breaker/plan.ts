// What a run over the breaker of one connection does, made from a seed alone: replicas, callers of a few kinds of reads, a platform
// that fails, and the faults between replicas and their Redis.
import { type PathFault, pathKinds } from '../../../../base/test/simulator/faults/paths.ts'
import { type Fault, type FaultKind, planFaults, timesAtEdges } from '../../../../base/test/simulator/faults/plan.ts'
import { type ProcessFault, processKinds } from '../../../../base/test/simulator/faults/process.ts'
import { type RedisFault, redisKinds } from '../../../../base/test/simulator/faults/redis.ts'
import { Random } from '../../../../base/test/simulator/random.ts'

export interface Calls {
  readonly kind: 'calls'
  readonly atMs: number
  readonly forMs: number
  readonly count: number
}

/** `failing`: 503 at once; `silent`: no answer; `halting`: each call fails or not; `unreachable`: from one replica */
export type PlatformFault = 'failing' | 'silent' | 'halting' | 'unreachable'
export type FaultName = ProcessFault | PathFault | RedisFault | PlatformFault
export type PlannedFault = Fault & { readonly kind: FaultName }
export type Item = Calls | PlannedFault

export const isFault = (item: Item): item is PlannedFault => item.kind !== 'calls'

export interface Plan {
  readonly seed: number
  readonly replicas: number
  /** kinds of reads: each is a lane of its own */
  readonly lanes: number
  readonly thinkMs: readonly [least: number, most: number]
  readonly calmMs: number
  readonly untilMs: number
  readonly items: readonly Item[]
}

const platformKinds = (replicas: readonly string[]): Record<PlatformFault, FaultKind> => ({
  failing: { forMs: [500, 120_000], nodes: ['platform'] },
  silent: { forMs: [500, 120_000], nodes: ['platform'] },
  halting: { forMs: [500, 120_000], nodes: ['platform'], amount: [0.1, 0.9] },
  unreachable: { forMs: [500, 120_000], nodes: replicas },
})

const platformNames: ReadonlySet<string> = new Set(Object.keys(platformKinds([])))
export const isOfPlatform = ({ kind }: PlannedFault): boolean => platformNames.has(kind)

/** every second one begins about the begin or the end of another: then some replicas have answers, and others have none */
function planPlatformFaults(random: Random, replicas: readonly string[], untilMs: number) {
  const faults = planFaults<FaultName>(random, platformKinds(replicas), untilMs, 8)
  const firsts = faults.filter((_, n) => n % 2 === 0)
  const timeOf = timesAtEdges(random, firsts, untilMs)
  const seconds = faults.filter((_, n) => n % 2 === 1)
  return [...firsts, ...seconds.map((one) => ({ ...one, atMs: Math.min(timeOf(), untilMs - one.forMs) }))]
}

export function makePlan(seed: number, hours = 2): Plan {
  const random = new Random(seed).fork('plan')
  const untilMs = hours * 3_600_000
  const calmMs = untilMs - 5 * 60_000
  const replicas = 1 + random.below(5)
  const names = Array.from({ length: replicas }, (_, n) => `replica ${n + 1}`)
  const others = { ...processKinds(names), ...pathKinds(names, 'redis'), ...redisKinds }
  const platformFaults = planPlatformFaults(random, names, calmMs)
  const faults = [...platformFaults, ...planFaults<FaultName>(random, others, calmMs, 4)]
  const timeOf = timesAtEdges(random, faults, calmMs)
  const timeIn = ({ atMs, forMs }: Fault) => Math.round(atMs + random.between(0, forMs))
  const calls = Array.from({ length: 3 + random.below(12) }, () => ({
    kind: 'calls' as const,
    atMs: platformFaults.length > 0 && random.chance(0.5) ? timeIn(random.pick(platformFaults)) : timeOf(),
    forMs: Math.round(10 ** random.between(2, 5)),
    count: 1 + random.below(50),
  }))
  const thinkMs = random.between(5, 300)
  return {
    seed,
    replicas,
    lanes: random.pick([1, 1, 2, 4]),
    thinkMs: [thinkMs / 2, thinkMs],
    calmMs,
    untilMs,
    items: [...faults, ...calls].toSorted((a, b) => a.atMs - b.atMs),
  }
}

export const describe = ({ replicas, lanes }: Plan): string =>
  `${replicas} replica${replicas > 1 ? 's' : ''} and a Redis; ${lanes} kind${lanes > 1 ? 's' : ''} of reads`
