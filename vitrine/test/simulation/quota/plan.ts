// What a run over the quota of one signing key does, made from a seed alone: the installation, its callers and the faults. Callers
// and faults are items of one list, which can be shrunk.
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
  readonly patienceMs: number
  /** the probability that a caller leaves before the answer */
  readonly leaves: number
}

/** equal reads at all replicas: at once, or one after the other in this time */
export interface Reads {
  readonly kind: 'reads'
  readonly atMs: number
  readonly forMs: number
  readonly count: number
  /** the probability that a caller leaves before the answer */
  readonly leaves: number
  /** the replica that makes the call is killed while the call is under way */
  readonly kills: boolean
}

export type PlannedFault = Fault & { readonly kind: FaultName }
export type Item = Calls | Reads | PlannedFault

export const isFault = (item: Item): item is PlannedFault => item.kind !== 'calls' && item.kind !== 'reads'

/** of callers, fewer */
export function* fewer(item: Item): Iterable<Item> {
  if (!isFault(item)) for (let count = 1; count < item.count; count *= 2) yield { ...item, count }
}

export interface Plan {
  readonly seed: number
  readonly replicas: number
  readonly limit: number
  readonly perMinute: number | undefined
  readonly concurrency: number
  readonly hasRedis: boolean
  /** facade keys, which share the quota */
  readonly keys: number
  /** the probability that while a call is under way, another caller comes; a part of those leaves soon */
  readonly company: number
  readonly thinkMs: readonly [least: number, most: number]
  /** after this nothing is broken, and promises about the time after faults are tried */
  readonly calmMs: number
  readonly untilMs: number
  readonly items: readonly Item[]
}

/** the longest that a call of the platform may take, and how much later it may arrive */
export const [totalMs, lateMs] = [20_000, 5_000]
export const holdMs = totalMs + lateMs

/** messages between replicas and Redis are there by then */
export const messageMs = 20

const [second, minute] = [1_000, 60_000]

export type PlatformFault = 'platform slow' | 'platform far' | 'platform refusing' | 'platform silent' | 'others'
/** its machine is gone, and no connection is reset; or its address leads to another server that has its data */
export type ServerFault = 'redis vanished' | 'redis moved'
export type FaultName = ProcessFault | PathFault | PlatformFault | RedisFault | ServerFault

const serverKinds: Readonly<Record<ServerFault, FaultKind>> = {
  'redis vanished': { forMs: [20, 5 * minute], nodes: ['redis'] },
  'redis moved': { forMs: [1, 2], nodes: ['redis'] },
}

const platformKinds = (limit: number): Record<PlatformFault, FaultKind> => ({
  'platform slow': { forMs: [second, 5 * minute], nodes: ['platform'], amount: [100, 15_000] },
  // below the two seconds after which a call that was cancelled counts
  'platform far': { forMs: [second, 10 * minute], nodes: ['platform'], amount: [50, 1_500] },
  // 429 though calls are left, as for too many at once
  'platform refusing': { forMs: [20, minute], nodes: ['platform'] },
  'platform silent': { forMs: [second, 2 * minute], nodes: ['platform'] },
  others: { forMs: [1, 2], nodes: ['platform'], amount: [1, limit] },
})

function planCalls(random: Random, limit: number, timeOf: () => number): Calls[] {
  const bursts = 2 + random.below(10)
  return Array.from({ length: bursts }, () => ({
    kind: 'calls' as const,
    atMs: timeOf(),
    forMs: Math.round(10 ** random.between(0, 6)),
    count: 1 + random.below(Math.max(4, Math.round((1.5 * limit) / Math.sqrt(bursts)))),
    patienceMs: Math.round(10 ** random.between(2, 4.3)),
    leaves: random.chance(0.3) ? random.next() : 0,
  }))
}

function planReads(random: Random, timeOf: () => number, mayKill: boolean): Reads[] {
  return Array.from({ length: random.below(10) }, () => ({
    kind: 'reads' as const,
    atMs: timeOf(),
    forMs: random.chance(0.7) ? 0 : random.between(0, 8_000),
    count: 1 + random.below(6),
    leaves: random.chance(0.3) ? random.next() : 0,
    kills: mayKill && random.chance(0.5),
  }))
}

export function makePlan(seed: number, hours = 2): Plan {
  const random = new Random(seed).fork('plan')
  const untilMs = hours * 3_600_000
  const calmMs = untilMs - 12 * minute
  const [replicas, limit] = [1 + random.below(5), random.pick([4, 12, 30, 60])]
  const names = Array.from({ length: replicas }, (_, n) => `replica ${n + 1}`)
  const thinkMs = random.between(5, 400)
  const hasRedis = random.chance(0.92)
  const kinds: Partial<Record<FaultName, FaultKind>> = {
    ...processKinds(names),
    ...(hasRedis && pathKinds(names, 'redis')),
    ...platformKinds(limit),
    ...(hasRedis && { ...redisKinds, ...serverKinds }),
  }
  const faults = planFaults<FaultName>(random, kinds, calmMs, 12)
  const timeOf = timesAtEdges(random, faults, calmMs)
  const items = [...faults, ...planCalls(random, limit, timeOf), ...planReads(random, timeOf, random.chance(0.5))]
  return {
    seed,
    replicas,
    limit,
    perMinute: random.chance(0.3) ? 1 + random.below(10) : undefined,
    concurrency: random.pick([1, 2, 6, 6, 10]),
    hasRedis,
    keys: random.pick([1, 1, 2, 3]),
    company: random.chance(0.5) ? 0.6 * random.next() : 0,
    thinkMs: [thinkMs / 2, thinkMs],
    calmMs,
    untilMs,
    items: items.toSorted((a, b) => a.atMs - b.atMs),
  }
}

/** of the calls at once, those of one replica: counted apart from the product's own division */
export const partOf = ({ concurrency, replicas }: Plan): number => Math.max(1, Math.ceil(concurrency / replicas))
/** the most that all replicas have in flight: `n` of docs/decisions/replica-quota.md */
export const mostInFlight = (plan: Plan): number => plan.replicas * partOf(plan)

/** Of what is left, what may be kept from a caller: for calls in flight, for facade keys that used less than their share, and the
 * tenth that is a reserve. */
export const mostKept = (plan: Plan): number =>
  2 * mostInFlight(plan) + plan.limit * Math.max(0.1, (plan.keys - 1) / plan.keys)

export const describe = ({ replicas, limit, perMinute, concurrency, hasRedis, keys }: Plan): string =>
  `${replicas} replica${replicas > 1 ? 's' : ''}${hasRedis ? ' and a Redis' : ''}; ${limit} calls an hour` +
  `${perMinute === undefined ? '' : `, ${perMinute} a minute`}, ${concurrency} at once, ${keys} facade key${keys > 1 ? 's' : ''}`
