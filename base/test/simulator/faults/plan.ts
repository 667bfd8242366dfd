// Faults as data: what begins when, for how long, and to whom. A plan is made of them before a run, so that a failing plan can be
// shrunk. Each seed leaves out a random half of the kinds, as some faults hide others.
import type { Random } from '../random.ts'

export interface Fault {
  readonly kind: string
  readonly atMs: number
  readonly forMs: number
  /** the node that it concerns */
  readonly node: string
  /** how much, where that is a question: milliseconds, a rate, a probability */
  readonly amount: number
}

export interface FaultKind {
  readonly forMs: readonly [least: number, most: number]
  readonly nodes: readonly string[]
  readonly amount?: readonly [least: number, most: number]
}

export type FaultKinds = Readonly<Record<string, FaultKind>>

/** how long most kinds last */
export const shortly = [50, 10 * 60_000] as const
const none = [0, 0] as const

/** a random half of the kinds, and of these between none and `most` faults over the time */
export function planFaults<K extends string>(
  random: Random,
  kinds: Readonly<Partial<Record<K, FaultKind>>>,
  untilMs: number,
  most: number,
): (Fault & { readonly kind: K })[] {
  const chosen = (Object.entries(kinds) as [K, FaultKind][]).filter(() => random.chance(0.5))
  if (chosen.length === 0) return []
  const faults = Array.from({ length: random.below(most + 1) }, () => {
    const [kind, { forMs, nodes, amount = none }] = random.pick(chosen)
    // short ones as often as long ones
    const lasts = forMs[0] * (forMs[1] / forMs[0]) ** random.next()
    const atMs = random.between(0, Math.max(0, untilMs - lasts))
    return {
      kind,
      atMs: Math.round(atMs),
      forMs: Math.round(lasts),
      node: random.pick(nodes),
      amount: random.between(...amount),
    }
  })
  return faults.toSorted((a, b) => a.atMs - b.atMs)
}

/** Times for callers to come: half of them are where a fault begins or ends. */
export function timesAtEdges(random: Random, faults: readonly Fault[], untilMs: number): () => number {
  const edges = faults.flatMap(({ atMs, forMs }) => [atMs, atMs + forMs])
  return () => {
    const atMs = random.between(5_000, untilMs)
    const edgeMs = random.pick(edges) ?? atMs
    return Math.round(
      random.chance(0.5) ? atMs : Math.min(untilMs, Math.max(0, edgeMs + random.between(-2_000, 5_000))),
    )
  }
}
