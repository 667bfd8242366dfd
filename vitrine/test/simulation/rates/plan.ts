// What a run over the rates of facade keys does: keys with limits, bursts of their requests at one replica or at all, and the faults.
import { type PathFault, pathKinds } from '../../../../base/test/simulator/faults/paths.ts'
import { type Fault, type FaultKind, planFaults, timesAtEdges } from '../../../../base/test/simulator/faults/plan.ts'
import { type ProcessFault, processKinds } from '../../../../base/test/simulator/faults/process.ts'
import { type RedisFault, redisKinds } from '../../../../base/test/simulator/faults/redis.ts'
import { Random } from '../../../../base/test/simulator/random.ts'

export interface Burst {
  readonly kind: 'burst'
  readonly atMs: number
  readonly forMs: number
  readonly count: number
  readonly key: number
  /** undefined: at all replicas */
  readonly node: string | undefined
  /** who is refused waits as long as the answer says, and asks once more */
  readonly retries: boolean
  /** each looks at what is left first */
  readonly looks: boolean
}

export type FaultName = ProcessFault | PathFault | RedisFault | 'redis emptied'
export type PlannedFault = Fault & { readonly kind: FaultName }
export type Item = Burst | PlannedFault

export const isFault = (item: Item): item is PlannedFault => item.kind !== 'burst'

export interface Plan {
  readonly seed: number
  readonly replicas: number
  readonly windowMs: number
  /** of each key */
  readonly limits: readonly number[]
  readonly hasRedis: boolean
  /** after this nothing is broken */
  readonly calmMs: number
  readonly untilMs: number
  readonly items: readonly Item[]
}

const minute = 60_000
/** Redis is in use again by then */
export const recoveryMs = 90_000

interface Bursts extends Pick<Plan, 'limits' | 'windowMs' | 'calmMs'> {
  readonly names: readonly string[]
  readonly faults: readonly Fault[]
}

/** single ones, pairs within one window around the begin or end of a fault, and three around its end */
function planBursts(random: Random, { limits, windowMs, calmMs, names, faults }: Bursts): Burst[] {
  const timeOf = timesAtEdges(random, faults, calmMs)
  const edges = faults.flatMap(({ atMs, forMs }) => [atMs, atMs + forMs])
  const at = (ms: number, key: number): Burst => ({
    kind: 'burst',
    atMs: Math.round(Math.min(calmMs, Math.max(5_000, ms))),
    forMs: Math.round(random.chance(0.3) ? random.between(0, windowMs) : 10 ** random.between(0, 4)),
    count: 1 + random.below(Math.ceil(1.4 * (limits[key] ?? 1))),
    key,
    node: random.chance(0.4) ? random.pick(names) : undefined,
    retries: random.chance(0.3),
    looks: random.chance(0.2),
  })
  const keyOf = () => random.below(limits.length)
  const single = Array.from({ length: 1 + random.below(8) }, () => at(timeOf(), keyOf()))
  const pairs = Array.from({ length: edges.length === 0 ? 0 : random.below(6) }, () => {
    const [edge, key] = [random.pick(edges), keyOf()]
    return [at(edge - random.between(0, windowMs / 4), key), at(edge + random.between(0, windowMs), key)]
  })
  // while one is broken, and twice when all is well again
  const short = faults.filter(({ forMs }) => forMs > 4_000 && forMs < windowMs / 2)
  const trios = Array.from({ length: short.length === 0 ? 0 : random.below(3) }, () => {
    const [{ atMs, forMs }, key] = [random.pick(short), keyOf()]
    const endsAt = atMs + forMs
    const times = [endsAt - random.between(500, forMs / 3), endsAt + random.between(3_000, 6_000)]
    return [...times, endsAt + random.between(8_000, 0.95 * windowMs)].map((ms) => at(ms, key))
  })
  return [...single, ...pairs.flat(), ...trios.flat()]
}

/** of clocks that nothing corrects */
const clockRates = [0.9995, 1.0005] as const

const drifting = (random: Random, node: string, forMs: number): PlannedFault => ({
  kind: 'drift',
  atMs: 0,
  forMs,
  node,
  amount: random.between(...clockRates),
})

export function makePlan(seed: number, hours = 2): Plan {
  const random = new Random(seed).fork('plan')
  const untilMs = hours * 3_600_000
  const replicas = 1 + random.below(5)
  const names = Array.from({ length: replicas }, (_, n) => `replica ${n + 1}`)
  // in some only the clocks differ: other faults hide what they do
  const isDrifting = random.chance(0.1)
  const windowMs = hours >= 2 && (isDrifting || random.chance(0.4)) ? 10 * minute : minute
  const limits = Array.from({ length: 1 + random.below(2) }, () => random.pick([1, 2, 3, 5, 10, 11, 30]))
  const hasRedis = random.chance(0.9)
  const calmMs = untilMs - recoveryMs - 4 * windowMs
  const kinds: Partial<Record<FaultName, FaultKind>> = {
    ...processKinds(names),
    drift: { forMs: [minute, 60 * minute], nodes: names, amount: clockRates },
    ...(hasRedis && pathKinds(names, 'redis')),
    ...(hasRedis && redisKinds),
    ...(hasRedis && { 'redis emptied': { forMs: [1, 2], nodes: ['redis'] } }),
  }
  const faults = isDrifting
    ? names.map((node) => drifting(random, node, calmMs))
    : planFaults<FaultName>(random, kinds, calmMs, 5)
  const bursts = planBursts(random, { limits, windowMs, calmMs, names, faults: isDrifting ? [] : faults })
  const items = [...faults, ...bursts].toSorted((a, b) => a.atMs - b.atMs)
  return { seed, replicas, windowMs, limits, hasRedis, calmMs, untilMs, items }
}

/** of a burst, fewer requests */
export function* fewer(item: Item): Iterable<Item> {
  if (!isFault(item)) for (let count = 1; count < item.count; count *= 2) yield { ...item, count }
}

export const describe = ({ replicas, limits, windowMs, hasRedis }: Plan): string =>
  `${replicas} replica${replicas > 1 ? 's' : ''}${hasRedis ? ' and a Redis' : ''}; ${limits.join(' and ')} requests in ` +
  `${windowMs / 1_000} s`
