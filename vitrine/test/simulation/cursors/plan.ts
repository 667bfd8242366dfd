// What a run over walks does: lists that change, walks over them page by page through any replica, and the faults.
import { type PathFault, pathKinds } from '../../../../base/test/simulator/faults/paths.ts'
import { type Fault, type FaultKind, planFaults, timesAtEdges } from '../../../../base/test/simulator/faults/plan.ts'
import { type ProcessFault, processKinds } from '../../../../base/test/simulator/faults/process.ts'
import { Random } from '../../../../base/test/simulator/random.ts'

/** `plain`: paged by the last row; `counted`: by the number of rows before; `localized`: below a localization; `nested`: below each
 * member of a list */
export const listNames = ['plain', 'counted', 'localized', 'nested'] as const
export type ListName = (typeof listNames)[number]

export interface Walk {
  readonly kind: 'walk'
  readonly atMs: number
  readonly list: ListName
  readonly limit: number
  /** between two pages */
  readonly pauseMs: number
  /** what its caller does with a cursor once, beside the walk */
  readonly tries: 'nothing' | 'another list' | 'another text' | 'another replica'
}

/** rows come and go; `renews`: the localization is replaced, or a member of the list above goes and another comes */
export interface Change {
  readonly kind: 'change'
  readonly atMs: number
  readonly list: ListName
  readonly adds: number
  readonly removes: number
  readonly renews: boolean
}

/** what a platform answers that is wrong */
export const lies = ['ends early', 'circle', 'other query', 'other path'] as const
export type Lie = (typeof lies)[number]

export type FaultName = ProcessFault | PathFault | Lie | 'failing' | 'clock' | 'new key'
export type PlannedFault = Fault & { readonly kind: FaultName }
export type Item = Walk | Change | PlannedFault

export const isFault = (item: Item): item is PlannedFault => item.kind !== 'walk' && item.kind !== 'change'

export interface Plan {
  readonly seed: number
  readonly replicas: number
  /** rows of each list at the start */
  readonly rows: number
  /** pages may be cached: the same place has the same cursor everywhere for some hours */
  readonly isStable: boolean
  readonly calmMs: number
  readonly untilMs: number
  readonly items: readonly Item[]
}

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
/** cursors live for a day, so that an hour of the command line is a day here */
const stretch = 24

function planWalk(random: Random, atMs: number): Walk {
  return {
    kind: 'walk',
    atMs,
    list: random.pick(listNames),
    limit: random.pick([1, 2, 3, 5, 10, 50]),
    pauseMs: Math.round(10 ** random.between(1, random.chance(0.2) ? 7.9 : 5.5)),
    tries: random.pick(['nothing', 'another list', 'another text', 'another replica']),
  }
}

const planChange = (random: Random, atMs: number): Change => ({
  kind: 'change',
  atMs,
  list: random.pick(listNames),
  adds: random.below(5),
  removes: random.below(5),
  renews: random.chance(0.2),
})

export function makePlan(seed: number, hours = 2): Plan {
  const random = new Random(seed).fork('plan')
  const untilMs = hours * stretch * hour
  const calmMs = untilMs - 30 * minute
  const replicas = 1 + random.below(4)
  const names = Array.from({ length: replicas }, (_, n) => `replica ${n + 1}`)
  const nodes = ['platform']
  const kinds: Record<FaultName, FaultKind> = {
    ...processKinds(names),
    ...pathKinds(names, 'platform'),
    'ends early': { forMs: [second, 3 * hour], nodes },
    circle: { forMs: [hour, 10 * hour], nodes, amount: [1, 25] },
    'other query': { forMs: [second, 3 * hour], nodes },
    'other path': { forMs: [second, 3 * hour], nodes },
    failing: { forMs: [second, hour], nodes, amount: [0.05, 0.9] },
    clock: { forMs: [1, 2], nodes: ['database'], amount: [-12 * hour, 26 * hour] },
    'new key': { forMs: [second, 10 * minute], nodes: ['database'] },
  }
  const faults = planFaults<FaultName>(random, kinds, calmMs, 8)
  const timeOf = timesAtEdges(random, faults, calmMs)
  const walks = Array.from({ length: 2 + random.below(10) }, () => planWalk(random, timeOf()))
  // half of the changes come during a walk
  const during = () => {
    const { atMs, pauseMs } = random.pick(walks)
    return Math.min(calmMs, Math.round(atMs + random.between(0, 5 * pauseMs)))
  }
  const changes = Array.from({ length: random.below(20) }, () =>
    planChange(random, random.chance(0.5) ? during() : timeOf()),
  )
  const items: Item[] = [...faults, ...walks, ...changes]
  return {
    seed,
    replicas,
    rows: random.pick([0, 3, 12, 40]),
    isStable: random.chance(0.5),
    calmMs,
    untilMs,
    items: items.toSorted((a, b) => a.atMs - b.atMs),
  }
}

/** of a change, fewer rows; of a walk, one without more */
export function* smaller(item: Item): Iterable<Item> {
  if (item.kind === 'change')
    yield* [1, 2].map((n) => ({ ...item, adds: Math.min(n, item.adds), removes: Math.min(n, item.removes) }))
  if (item.kind === 'walk') yield { ...item, tries: 'nothing' }
}

export const describe = ({ replicas, rows, isStable }: Plan): string =>
  `${replicas} replica${replicas > 1 ? 's' : ''}; lists of ${rows} rows; ${isStable ? 'cached' : 'fresh'} pages`
