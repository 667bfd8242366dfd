// The faults of one run: begins and ends each, tells of both, and knows what is broken at a moment.
import type { SimulatedNode } from '../node.ts'
import type { Simulation } from '../simulation.ts'
import type { Fault } from './plan.ts'

/** begins a fault, and returns what ends it */
export type Begin = (fault: Fault) => (() => void) | undefined
export type Begins<K extends string> = Readonly<Record<K, Begin>>

export class RunningFaults<F extends Fault> {
  readonly #simulation: Simulation
  readonly #planned: readonly F[]
  readonly #begins: Begins<F['kind']>

  constructor(simulation: Simulation, planned: readonly F[], begins: Begins<F['kind']>) {
    this.#simulation = simulation
    this.#planned = planned
    this.#begins = begins
  }

  /** `beforeEnd` runs while all is still broken */
  begin(fault: F, beforeEnd: () => void = () => {}) {
    const simulation = this.#simulation
    const { node, forMs, amount } = fault
    const kind: F['kind'] = fault.kind
    const how = amount === 0 ? '' : ` (${Number(amount.toPrecision(3))})`
    simulation.tell(`${node}: ${kind}${how} for ${(forMs / 1_000).toFixed(2)} s`)
    const end = this.#begins[kind](fault)
    const ended = () => {
      beforeEnd()
      simulation.tell(`${node}: ${kind} ends`)
      end?.()
    }
    if (end) simulation.after(forMs, ended, simulation.world)
  }

  /** no fault that counts is under way, and none begins or ended within this time of now */
  isQuiet(withinMs: number, counts: (fault: F) => boolean = () => true): boolean {
    const { now } = this.#simulation
    return !this.#planned.some(
      (one) => one.atMs <= now + withinMs && one.atMs + one.forMs >= now - withinMs && counts(one),
    )
  }

  /** no fault that counts is under way, and none ended within this time before now */
  wasQuiet(sinceMs: number, counts: (fault: F) => boolean = () => true): boolean {
    const { now } = this.#simulation
    return !this.#planned.some((one) => one.atMs <= now && one.atMs + one.forMs >= now - sinceMs && counts(one))
  }

  /** no fault began or ended within this time, though some may be under way */
  isSteady(sinceMs: number): boolean {
    const { now } = this.#simulation
    const isNear = (at: number) => at <= now && at >= now - sinceMs
    return !this.#planned.some(({ atMs, forMs }) => isNear(atMs) || isNear(atMs + forMs))
  }

  /** it was stopped lately: what it owed came when it woke */
  wasStopped({ name }: SimulatedNode, withinMs: number): boolean {
    const { now } = this.#simulation
    const isIt = ({ kind, node, atMs, forMs }: F) =>
      kind === 'stop' && node === name && atMs <= now && atMs + forMs > now - withinMs
    return this.#planned.some(isIt)
  }

  /** another fault is under way in some part of this one */
  isAlone({ atMs, forMs }: F): boolean {
    return !this.#planned.some((one) => one.atMs < atMs + forMs && one.atMs + one.forMs > atMs && one.atMs !== atMs)
  }
}
