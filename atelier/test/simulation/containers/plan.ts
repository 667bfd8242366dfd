// What a run over the containers of one service does, made from a seed alone: the engine's dialect, the store, callers and faults.
// Callers and faults are items of one list, which can be shrunk.
import { type Fault, type FaultKind, planFaults } from '../../../../base/test/simulator/faults/plan.ts'
import { type ProcessFault, processKinds } from '../../../../base/test/simulator/faults/process.ts'
import { Random } from '../../../../base/test/simulator/random.ts'

export interface Create {
  readonly kind: 'create'
  readonly atMs: number
  readonly account: string
  readonly key: string | undefined
  /** so many callers send the same, within the spread */
  readonly copies: number
  readonly spreadMs: number
  /** so many of the callers send another body with the key */
  readonly others: number
  readonly name: string | null
  readonly ttlSeconds: number
  readonly idleTimeoutSeconds: number | null
  /** one that cannot be started, or none */
  readonly command: 'run' | 'broken' | null
  readonly patienceMs: number
  readonly tries: number
}

/** some of the containers of which callers know */
export interface Act {
  readonly kind: 'delete' | 'look' | 'use' | 'work'
  readonly atMs: number
  readonly forMs: number
  readonly copies: number
}

export type EngineFault =
  | 'engine killed'
  | 'engine restarted'
  | 'engine stopped'
  | 'engine slow'
  | 'engine refuses'
  | 'engine denies'
  | 'engine drops'
  | 'engine silent'
  | 'engine late'
  | 'connections closed'
  | 'events lost'
  | 'list of the past'
  | 'image gone'
  | 'exits'
  | 'vanishes'
  | 'strangers'

export type StoreFault = 'store slow' | 'store refuses' | 'store denies'
export type FaultName =
  | Exclude<ProcessFault, 'vanish'>
  | 'restart'
  | 'clock'
  | 'killed in an act'
  | EngineFault
  | StoreFault
export type PlannedFault = Fault & { readonly kind: FaultName }
export type Item = Create | Act | PlannedFault

export interface Plan {
  readonly seed: number
  readonly isPodman: boolean
  /** of a call of the store; 0: it takes no time */
  readonly storeMs: number
  /** after this nothing is broken, and promises about the time after faults are tried */
  readonly calmMs: number
  readonly untilMs: number
  readonly items: readonly Item[]
}

export const accounts = ['acc_one', 'acc_two'] as const
export const isFault = (item: Item): item is PlannedFault => 'node' in item

const [second, minute] = [1_000, 60_000]
const nodes = ['engine']
const part = [0.05, 0.9] as const
const anyTime = [100, 5 * minute] as const
const once = [1, 2] as const

export const engineKinds: Readonly<Record<EngineFault, FaultKind>> = {
  'engine killed': { forMs: [20, 5 * minute], nodes },
  'engine restarted': { forMs: [20, 5 * minute], nodes },
  'engine stopped': { forMs: [100, 2 * minute], nodes },
  'engine slow': { forMs: anyTime, nodes, amount: [50, 5_000] },
  'engine refuses': { forMs: anyTime, nodes, amount: part },
  'engine denies': { forMs: anyTime, nodes, amount: part },
  'engine drops': { forMs: anyTime, nodes, amount: part },
  'engine silent': { forMs: anyTime, nodes, amount: part },
  'engine late': { forMs: anyTime, nodes, amount: part },
  'connections closed': { forMs: once, nodes },
  'events lost': { forMs: anyTime, nodes, amount: [0.3, 1] },
  'list of the past': { forMs: anyTime, nodes },
  'image gone': { forMs: anyTime, nodes },
  exits: { forMs: once, nodes, amount: [0, 1] },
  vanishes: { forMs: once, nodes, amount: [0, 1] },
  strangers: { forMs: once, nodes },
}

const service = ['service']

const { kill, stop, drift } = processKinds(service)

const kinds: Readonly<Record<Exclude<FaultName, 'killed in an act'>, FaultKind>> = {
  kill: { ...kill, forMs: [20, 2 * minute] },
  stop,
  drift,
  restart: { forMs: [20, minute], nodes: service },
  clock: { forMs: once, nodes: service, amount: [-20 * minute, 20 * minute] },
  'store slow': { forMs: anyTime, nodes: ['store'], amount: [5, 2_000] },
  // it is away as often as it refuses a part
  'store refuses': { forMs: anyTime, nodes: ['store'], amount: [0.05, 2] },
  'store denies': { forMs: anyTime, nodes: ['store'], amount: [0.02, 0.5] },
  ...engineKinds,
}

/** in a creation, by the how manyth thing that the engine or the store does for it */
const planKills = (random: Random, creations: readonly Create[]): PlannedFault[] =>
  Array.from({ length: 1 + random.below(3) }, () => ({
    kind: 'killed in an act',
    atMs: random.pick(creations).atMs,
    forMs: Math.round(100 * 300 ** random.next()),
    node: 'service',
    amount: 1 + random.below(8),
  }))

/** in half of the seeds a few kinds come again and again */
function kindsFor(random: Random): Partial<typeof kinds> {
  const all = Object.entries(kinds)
  return random.chance(0.5)
    ? kinds
    : Object.fromEntries(Array.from({ length: 2 + random.below(3) }, () => random.pick(all)))
}

/** all that happens is near one of a few moments, so that most of the time is idle */
function timesFor(random: Random, untilMs: number): () => number {
  const centers = Array.from({ length: 2 + random.below(4) }, () => random.between(minute, untilMs - 3 * minute))
  return () => Math.round(random.pick(centers) + random.between(-30 * second, minute))
}

/** half of the callers come while something is broken, or right before or after */
const timesIn = (random: Random, faults: readonly Fault[], timeOf: () => number) => () => {
  const fault = random.chance(0.5) ? random.pick(faults) : undefined
  return fault ? fault.atMs + random.between(-2 * second, fault.forMs + 5 * second) : timeOf()
}

/** half of the uses come shortly before containers that nobody used are idle for too long */
const timesOfUse = (random: Random, creations: readonly Create[], timeOf: () => number) => () => {
  const { atMs, idleTimeoutSeconds } = random.pick(creations)
  if (idleTimeoutSeconds === null || random.chance(0.5)) return timeOf()
  return atMs + idleTimeoutSeconds * second - random.between(0, 20 * second)
}

function planCreations(random: Random, timeOf: () => number): Create[] {
  const earlier: Create[] = []
  return Array.from({ length: 4 + random.below(10) }, (_, n) => {
    const again = random.chance(0.25) ? earlier[random.below(earlier.length)] : undefined
    const create: Create = {
      kind: 'create',
      account: random.pick(accounts),
      key: random.chance(0.85) ? `key ${n}` : undefined,
      name: random.chance(0.3) ? `name-${random.below(3)}` : null,
      ttlSeconds: Math.round(60 * 60 ** random.next()),
      idleTimeoutSeconds: random.chance(0.5) ? Math.round(60 * 5 ** random.next()) : null,
      command: random.pick(['run', 'broken', null, null]),
      ...again,
      atMs: timeOf(),
      copies: random.pick([1, 1, 1, 2, 3]),
      others: random.chance(0.2) ? 1 : 0,
      spreadMs: Math.round(10 ** random.between(0, 4)),
      patienceMs: Math.round(10 ** random.between(2, 4.8)),
      tries: 1 + random.below(6),
    }
    earlier.push(create)
    return create
  })
}

function planActs(random: Random, timeOf: () => number, timeOfUse: () => number): Act[] {
  return Array.from({ length: 2 + random.below(14) }, () => {
    const kind = random.pick(['delete', 'delete', 'look', 'look', 'use', 'work', 'work', 'work'] as const)
    return {
      kind,
      atMs: kind === 'work' ? timeOfUse() : timeOf(),
      forMs: Math.round(second * 180 ** random.next()),
      copies: 1 + random.below(2),
    }
  })
}

export function makePlan(seed: number, hours = 2): Plan {
  const random = new Random(seed).fork('plan')
  const untilMs = hours * 60 * minute
  const calmMs = untilMs - 6 * minute
  const timeOf = timesFor(random, calmMs)
  const faults = planFaults(random, kindsFor(random), calmMs, 10).map((fault) => ({ ...fault, atMs: timeOf() }))
  const timeOfCall = timesIn(random, faults, timeOf)
  const creations = planCreations(random, timeOfCall)
  const acts = planActs(random, timeOfCall, timesOfUse(random, creations, timeOfCall))
  const kills = random.chance(0.4) ? planKills(random, creations) : []
  const all: Item[] = [...faults, ...kills, ...creations, ...acts]
  // all that is broken is mended then
  const latestMs = (item: Item): number => (isFault(item) ? calmMs - item.forMs : calmMs)
  const items = all.map((item) => ({ ...item, atMs: Math.round(Math.max(0, Math.min(item.atMs, latestMs(item)))) }))
  return {
    seed,
    isPodman: random.chance(0.5),
    storeMs: random.chance(0.3) ? 0 : random.between(1, 5),
    calmMs,
    untilMs,
    items: items.toSorted((a, b) => a.atMs - b.atMs),
  }
}

export const describe = ({ isPodman, storeMs }: Plan): string =>
  `one service over ${isPodman ? 'Podman' : 'Docker'}; a store that ${storeMs === 0 ? 'answers at once' : `takes up to ${Math.round(2 * storeMs)} ms`}`
