// When each process ran and reached Redis: what the oracles need to know which bound holds.
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'

/** other replicas know of one that started, and of one that is gone, by then */
const [startedMs, goneMs] = [2_000, 11_000]

/** a process from its start to its end */
export interface Life {
  readonly node: SimulatedNode
  readonly from: number
  to: number
  /** since when Redis is used or not; the state of its start first */
  readonly links: { readonly at: number; readonly isUp: boolean }[]
}

export class Lives {
  readonly #now: () => number
  readonly all: Life[] = []

  constructor(now: () => number) {
    this.#now = now
  }

  begin(node: SimulatedNode, isUp: boolean): Life {
    const life = { node, from: this.#now(), to: Infinity, links: [{ at: this.#now(), isUp }] }
    this.all.push(life)
    return life
  }

  end(node: SimulatedNode) {
    for (const life of this.all) if (life.node === node && life.to === Infinity) life.to = this.#now()
  }

  /** as many as a replica counts by the rows that others write */
  countFor(node: SimulatedNode): number {
    const now = this.#now()
    const isCounted = ({ node: other, from, to }: Life) =>
      (other === node && to === Infinity) || (from <= now - startedMs && now < to + goneMs)
    return Math.max(1, this.all.filter(isCounted).length)
  }

  /** the fewest and the most that any replica counted between two moments */
  countsIn(from: number, to: number): readonly [fewest: number, most: number] {
    const sure = this.all.filter((one) => one.from <= from - startedMs && to < one.to + goneMs).length
    const possible = this.all.filter((one) => one.from <= to && from < one.to + goneMs).length
    return [Math.max(1, sure), Math.max(1, possible)]
  }

  between(from: number, to: number): Life[] {
    return this.all.filter((one) => one.from <= to && one.to >= from)
  }
}

/** since some moment it has believed the count of Redis, without a break: from its start, or a window after Redis came back */
export function trustsSince({ links }: Life, windowMs: number): number {
  const last = links.at(-1)
  if (!last?.isUp) return Infinity
  return links.length === 1 ? last.at : last.at + windowMs
}

/** at some moment between these it believed the count of Redis */
export const trustsSometime = ({ links }: Life, from: number, to: number, windowMs: number): boolean =>
  links.some(({ at, isUp }, i) => {
    const begun = i === 0 ? at : at + windowMs
    return isUp && begun <= to && (links[i + 1]?.at ?? Infinity) >= Math.max(from, begun)
  })
