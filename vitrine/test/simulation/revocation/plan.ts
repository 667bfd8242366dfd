// What a run over revocations does, made from a seed alone: the installation, its callers, the acts of the operator and the faults,
// of which many begin beside an act.
import { type PathFault, pathKinds } from '../../../../base/test/simulator/faults/paths.ts'
import { type Fault, type FaultKind, planFaults, timesAtEdges } from '../../../../base/test/simulator/faults/plan.ts'
import { type PostgresFault, postgresKinds } from '../../../../base/test/simulator/faults/postgres.ts'
import { type ProcessFault, processKinds } from '../../../../base/test/simulator/faults/process.ts'
import { type RedisFault, redisKinds } from '../../../../base/test/simulator/faults/redis.ts'
import { Random } from '../../../../base/test/simulator/random.ts'

export const actNames = ['keys.revoke', 'keys.reroll', 'connections.replace', 'connections.remove'] as const
export type ActName = (typeof actNames)[number]

/** one thing that a caller is granted is used everywhere, and then taken away at one replica */
export interface Act {
  readonly kind: 'act'
  readonly act: ActName
  readonly atMs: number
  /** its grant */
  readonly number: number
  readonly replica: number
  /** the process ends when the server has kept the change, before it can say so */
  readonly dies: boolean
  /** callers come for some time longer than the act takes effect */
  readonly isTriedLate: boolean
}

/** callers use what is never taken away */
export interface Reads {
  readonly kind: 'reads'
  readonly atMs: number
  readonly forMs: number
  readonly count: number
}

export type FaultName = ProcessFault | PathFault | RedisFault | PostgresFault
export type PlannedFault = Fault & { readonly kind: FaultName }
/** it keeps replicas from the database, and from nothing else */
export const isOfDatabase = ({ kind }: PlannedFault): boolean => /^(store|postgres|failover)/.test(kind)

export type Item = Act | Reads | PlannedFault
export const isFault = (item: Item): item is PlannedFault => item.kind !== 'act' && item.kind !== 'reads'

export interface Plan {
  readonly seed: number
  readonly replicas: number
  readonly hasRedis: boolean
  /** `storeOutageSeconds` */
  readonly boundMs: number
  /** after this nothing is broken, and promises about the time after faults are tried */
  readonly calmMs: number
  readonly untilMs: number
  readonly items: readonly Item[]
}

const [second, minute] = [1_000, 60_000]
export const mostActs = 4
/** before this nothing is broken, and all that is granted is stored */
export const beginsMs = 12 * second
/** how long the grant of an act is used before it is taken away */
export const warmMs = 3 * second

const none = [0, 0] as const

/** each act with some faults beside it, since the worst moments are those around it */
function planBeside(random: Random, acts: readonly Act[], kinds: readonly (readonly [FaultName, FaultKind])[]) {
  return acts.flatMap(({ atMs }) =>
    Array.from({ length: kinds.length > 0 ? random.below(4) : 0 }, (): PlannedFault => {
      const [kind, { nodes, amount = none }] = random.pick(kinds)
      const from = atMs + warmMs + random.between(-2_500, 800)
      const forMs = 200 * (isBusy(kind) ? 50 : 300) ** random.next()
      return {
        kind,
        atMs: Math.round(from),
        forMs: Math.round(forMs),
        node: random.pick(nodes),
        amount: random.between(...amount),
      }
    }),
  )
}

type Kinds = Partial<Record<FaultName, FaultKind>>

/** while a path is slow some message is always under way, so that no idle time is left out */
const isBusy = (kind: string): boolean => /slow|lossy/.test(kind)

function kindsFor(names: readonly string[], hasRedis: boolean): Kinds {
  const kinds: Kinds = {
    ...processKinds(names),
    ...(hasRedis && pathKinds(names, 'redis')),
    ...(hasRedis && redisKinds),
    ...postgresKinds(names),
  }
  const shorter = Object.entries(kinds).map(([kind, one]) => [
    kind,
    isBusy(kind) ? { ...one, forMs: [50, 10 * second] } : one,
  ])
  return Object.fromEntries(shorter) as Kinds
}

/**
 * What chance would bring about too rarely: beside an act another replica loses the database, and perhaps Redis, after a time in which
 * its messages were slow. The commit may take long, its process may end with it or not reach Redis, and Redis may come back from an
 * older copy.
 */
function planNarrow(random: Random, acts: readonly Act[], names: readonly string[]): PlannedFault[] {
  return acts.flatMap(({ atMs, replica, dies }) => {
    if (random.chance(0.25)) return []
    const own = names[replica] ?? ''
    const others = names.filter((name) => name !== own)
    const other = random.pick(others)
    const fault = (kind: FaultName, node: string, from: number, forMs: number, amount = 0): PlannedFault => {
      return { kind, atMs: Math.round(atMs + warmMs + from), forMs: Math.round(forMs), node, amount }
    }
    const cutMs = 15 * second
    const slowThenCut = (path: 'store ' | '', cutAt: number, slowest: number) => [
      fault(`${path}slow`, other, cutAt - 1_500, 1_500, random.between(0.3, 1) * slowest),
      fault(`${path}cut`, other, cutAt, cutMs),
    ]
    const isSlow = random.chance(0.3)
    const orders: readonly (readonly [chance: number, () => PlannedFault[]])[] = [
      [dies ? 0.7 : 0, () => others.map((node) => fault('store cut', node, -400, cutMs))],
      [isSlow ? 1 : 0, () => [fault('store slow', own, -100, 2 * second, random.between(100, 400))]],
      [0.45, () => [fault('store cut', other, random.between(-2_500, -1_200), cutMs)]],
      [0.6, () => slowThenCut('store ', random.between(-100, isSlow ? 1_000 : 400), 600)],
      [0.4, () => slowThenCut('', random.between(0, 250), 50)],
      [0.3, () => [fault('cut', own, -second, cutMs)]],
      [0.2, () => [fault('redis older', 'redis', random.between(-500, 2_500), random.between(20, 500))]],
    ]
    return orders.flatMap(([chance, plan]) => (random.chance(chance) ? plan() : []))
  })
}

/** callers use what they know before and after the database breaks */
const planReadsBeside = (random: Random, faults: readonly PlannedFault[]): Reads[] =>
  faults.filter(isOfDatabase).map(({ atMs }) => ({
    kind: 'reads',
    atMs: atMs - second,
    forMs: random.between(2, 8) * second,
    count: 8 + random.below(24),
  }))

export function makePlan(seed: number, hours = 2): Plan {
  const random = new Random(seed).fork('plan')
  const untilMs = hours * 60 * minute
  const calmMs = untilMs - 2 * minute
  const replicas = 2 + random.below(3)
  const names = Array.from({ length: replicas }, (_, n) => `replica ${n + 1}`)
  const hasRedis = random.chance(0.92)
  const kinds = kindsFor(names, hasRedis)
  const later = (fault: PlannedFault): PlannedFault => ({ ...fault, atMs: Math.max(beginsMs, fault.atMs) })
  const own = planFaults<FaultName>(random, kinds, calmMs - beginsMs, 4).map(later)
  const timeOf = timesAtEdges(random, own, calmMs - minute - beginsMs)
  const acts = Array.from({ length: 1 + random.below(mostActs) }, (_, number): Act => {
    const atMs = beginsMs + timeOf()
    return {
      kind: 'act',
      act: random.pick(actNames),
      atMs,
      number,
      replica: random.below(replicas),
      dies: random.chance(0.2),
      isTriedLate: random.chance(0.5),
    }
  })
  const chosen = (Object.entries(kinds) as [FaultName, FaultKind][]).filter(() => random.chance(0.5))
  const beside = [...planBeside(random, acts, chosen), ...planNarrow(random, acts, names)].filter(
    ({ kind, atMs, forMs }) => atMs + forMs < calmMs && kind in kinds,
  )
  const reads = Array.from({ length: 1 + random.below(3) }, (): Reads => ({
    kind: 'reads',
    atMs: beginsMs + timeOf(),
    forMs: Math.round(10 ** random.between(2, 4)),
    count: 4 + random.below(16),
  }))
  return {
    seed,
    replicas,
    hasRedis,
    boundMs: random.pick([5, 20, 60, 300]) * second,
    calmMs,
    untilMs,
    items: [...own, ...acts, ...beside, ...reads, ...planReadsBeside(random, own)].toSorted((a, b) => a.atMs - b.atMs),
  }
}

/** of callers, fewer */
export function* fewer(item: Item): Iterable<Item> {
  if (item.kind === 'reads') for (let count = 1; count < item.count; count *= 2) yield { ...item, count }
}

export const describe = ({ replicas, hasRedis, boundMs }: Plan): string =>
  `${replicas} replicas, a PostgreSQL with a standby${hasRedis ? ' and a Redis' : ''}; ` +
  `records are used for ${boundMs / second} s without the database`
