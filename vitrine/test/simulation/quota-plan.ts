// What a run over the quota of one signing key does, made from a seed alone: the installation, its callers and the faults. Callers
// and faults are items of one list, which can be shrunk.
import { type Fault, type FaultKind, planFaults } from '../../../base/test/simulator/faults.ts'
import { Random } from '../../../base/test/simulator/random.ts'

export interface Calls {
  readonly kind: 'calls'
  readonly atMs: number
  readonly forMs: number
  readonly count: number
  readonly patienceMs: number
  /** the probability that a caller leaves before the answer */
  readonly leaves: number
}

/** equal reads at all replicas at once */
export interface Reads {
  readonly kind: 'reads'
  readonly atMs: number
  readonly count: number
  /** the replica that makes the call is killed while the call is under way */
  readonly kills: boolean
}

export type Item = Calls | Reads | (Fault & { readonly kind: FaultName })

export interface Plan {
  readonly seed: number
  readonly replicas: number
  readonly limit: number
  readonly perMinute: number | undefined
  readonly concurrency: number
  readonly hasRedis: boolean
  readonly thinkMs: readonly [least: number, most: number]
  /** after this nothing is broken, and promises about the time after faults are tried */
  readonly calmMs: number
  readonly untilMs: number
  readonly items: readonly Item[]
}

/** the longest that a call of the platform may take, and how much later it may arrive */
export const [totalMs, lateMs] = [20_000, 5_000]
export const holdMs = totalMs + lateMs

const [second, minute] = [1_000, 60_000]
const shortly = [50, 10 * minute] as const

export type FaultName =
  | 'kill'
  | 'vanish'
  | 'stop'
  | 'drift'
  | 'cut'
  | 'half-open'
  | 'slow'
  | 'lossy'
  | 'split'
  | 'platform slow'
  | 'platform far'
  | 'platform refusing'
  | 'platform silent'
  | 'others'
  | 'redis empty'
  | 'redis older'
  | 'redis full'
  | 'redis demoted'
  | 'redis stopped'
  | 'redis clock'
  | 'redis drift'

const withoutRedis = new Set([
  'kill',
  'vanish',
  'stop',
  'drift',
  'platform slow',
  'platform far',
  'platform refusing',
  'platform silent',
  'others',
])

function kindsFor(replicas: readonly string[], limit: number): Record<FaultName, FaultKind> {
  const redis = ['redis']
  return {
    kill: { forMs: shortly, nodes: replicas },
    vanish: { forMs: shortly, nodes: replicas },
    stop: { forMs: [20, 2 * minute], nodes: replicas },
    drift: { forMs: shortly, nodes: replicas, amount: [0.995, 1.005] },
    cut: { forMs: shortly, nodes: [...replicas, 'redis'] },
    'half-open': { forMs: shortly, nodes: replicas },
    slow: { forMs: shortly, nodes: [...replicas, 'redis'], amount: [5, 200] },
    lossy: { forMs: shortly, nodes: replicas, amount: [0.01, 0.3] },
    split: { forMs: shortly, nodes: replicas, amount: [0.05, 0.9] },
    'platform slow': { forMs: [second, 5 * minute], nodes: ['platform'], amount: [100, 15_000] },
    // below the two seconds after which a call that was cancelled counts
    'platform far': { forMs: [second, 10 * minute], nodes: ['platform'], amount: [50, 1_500] },
    // 429 though calls are left, as for too many at once
    'platform refusing': { forMs: [20, minute], nodes: ['platform'] },
    'platform silent': { forMs: [second, 2 * minute], nodes: ['platform'] },
    others: { forMs: [1, 2], nodes: ['platform'], amount: [1, limit] },
    'redis empty': { forMs: [20, 5 * minute], nodes: redis },
    'redis older': { forMs: [20, 5 * minute], nodes: redis },
    'redis full': { forMs: shortly, nodes: redis },
    'redis demoted': { forMs: shortly, nodes: redis },
    'redis stopped': { forMs: [10, 2 * minute], nodes: redis },
    'redis clock': { forMs: [1, 2], nodes: redis, amount: [-20 * minute, 20 * minute] },
    'redis drift': { forMs: shortly, nodes: redis, amount: [0.9995, 1.0005] },
  }
}

/** half of them begin where a fault begins or ends */
function timesFor(random: Random, faults: readonly Fault[], untilMs: number): () => number {
  const edges = faults.flatMap(({ atMs, forMs }) => [atMs, atMs + forMs])
  return () => {
    const atMs = random.between(5_000, untilMs)
    const edgeMs = random.pick(edges) ?? atMs
    return Math.round(
      random.chance(0.5) ? atMs : Math.min(untilMs, Math.max(0, edgeMs + random.between(-2_000, 5_000))),
    )
  }
}

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
    count: 1 + random.below(6),
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
  const all = Object.entries(kindsFor(names, limit))
  const kinds = Object.fromEntries(hasRedis ? all : all.filter(([kind]) => withoutRedis.has(kind)))
  const faults = planFaults(random, kinds, calmMs, 12) as (Fault & { kind: FaultName })[]
  const timeOf = timesFor(random, faults, calmMs)
  const items = [...faults, ...planCalls(random, limit, timeOf), ...planReads(random, timeOf, random.chance(0.5))]
  return {
    seed,
    replicas,
    limit,
    perMinute: random.chance(0.3) ? 1 + random.below(10) : undefined,
    concurrency: random.pick([1, 2, 6, 6, 10]),
    hasRedis,
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

export const describe = ({ replicas, limit, perMinute, concurrency, hasRedis }: Plan): string =>
  `${replicas} replica${replicas > 1 ? 's' : ''}${hasRedis ? ' and a Redis' : ''}; ${limit} calls an hour` +
  `${perMinute === undefined ? '' : `, ${perMinute} a minute`}, ${concurrency} at once`
