// A process of the simulation: a name, its own clocks and randomness, and whether it runs. Its clocks may drift, and its clock
// of the day may be set.
import { Random } from './random.ts'

/** of a day in 2024, so that times look like times */
const epochMs = 1_714_000_000_000

export class SimulatedNode {
  readonly name: string
  readonly random: Random
  readonly index: number
  readonly #trueNow: () => number
  #setMs = 0
  /** of the steady clock: milliseconds of its own for each true one, from a moment on */
  #rate = 1
  #rateSince = 0
  #steadyThen = 0
  /** counts its starts: what an earlier life of it planned does not happen */
  life = 0
  isStopped = false
  isDown = false

  constructor(name: string, index: number, random: Random, trueNow: () => number) {
    this.name = name
    this.index = index
    this.random = random
    this.#trueNow = trueNow
    this.#steadyThen = 1_000 + random.below(10_000)
  }

  steady(): number {
    return this.#steadyThen + (this.#trueNow() - this.#rateSince) * this.#rate
  }

  now(): number {
    return Math.floor(epochMs + this.steady() + this.#setMs)
  }

  trueMs(ownMs: number): number {
    return ownMs / this.#rate
  }

  /** sets the clock of the day */
  step(byMs: number) {
    this.#setMs += byMs
  }

  drift(rate: number) {
    this.#steadyThen = this.steady()
    this.#rateSince = this.#trueNow()
    this.#rate = rate
  }
}
