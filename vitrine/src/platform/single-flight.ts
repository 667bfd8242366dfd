// Equal reads at the same time share one call, which ends early only when the last request that waits for it has left.
import { LightAbort } from '../../../base/core/abort.ts'
import type { ReadContext } from './port.ts'
import { Problem, problemOfAbort } from '../problems.ts'

/** no read joins an older call, which may never end */
const oldestMs = 3_000

type Listener = (other: ReadContext) => void
type Start = (context: ReadContext) => Promise<unknown>

const nothing: Promise<unknown> = Promise.resolve()

/** One call with a context for all its requests: the highest urgency and the latest deadline count. */
class Flight implements ReadContext {
  readonly who: string
  readonly fresh: boolean
  readonly cost: ReadContext['cost']
  readonly budget: ReadContext['budget']
  readonly trial: ReadContext['trial']
  readonly trace: ReadContext['trace']
  readonly signal = new LightAbort()
  readonly begunAt: number
  // one name always stands for one type
  result: Promise<any> = nothing
  readonly #free: () => void
  readonly #waiting: ReadContext[]
  #listeners: Listener[] | undefined = undefined
  /** requests after the first, for listeners that come later */
  #others: ReadContext[] | undefined = undefined

  constructor(first: ReadContext, begunAt: number, free: () => void) {
    this.who = first.who
    this.fresh = first.fresh
    this.cost = first.cost
    this.budget = first.budget
    this.trial = first.trial
    this.trace = first.trace
    this.begunAt = begunAt
    this.#free = free
    this.#waiting = [first]
    first.onJoin?.((other) => this.#tell(other))
  }

  get endsAt(): number {
    let latest = Number.NEGATIVE_INFINITY
    for (const { endsAt } of this.#waiting) latest = Math.max(latest, endsAt)
    return latest
  }

  get patient(): boolean {
    for (const { patient } of this.#waiting) if (!patient) return false
    return true
  }

  onJoin(listener: Listener) {
    ;(this.#listeners ??= []).push(listener)
    for (const other of this.#others ?? []) if (!other.signal.aborted) listener(other)
  }

  welcome(other: ReadContext) {
    this.#waiting.push(other)
    this.#tell(other)
    other.onJoin?.((one) => this.#tell(one))
  }

  lose(context: ReadContext) {
    this.#waiting.splice(this.#waiting.indexOf(context), 1)
    if (this.#waiting.length > 0) return
    // before the abort, so that no new request joins
    this.#free()
    this.signal.abort(context.signal.reason)
  }

  #tell(other: ReadContext) {
    ;(this.#others ??= []).push(other)
    for (const listener of this.#listeners ?? []) listener(other)
  }
}

/** The key that began the call cannot pay for it: those who share it with another key make it themselves. */
const isOnlyTheirs = (problem: unknown, { who }: Flight, context: ReadContext): boolean =>
  problem instanceof Problem && problem.code === 'key_budget_spent' && who !== context.who

/** Emptied at the end: the map's old tables would keep the flight until the next major collection (docs/performance.md). */
interface Place {
  flight: Flight | undefined
}

export class SingleFlight {
  readonly #steady: () => number
  readonly #shared: () => void
  /** undefined while no call is under way: what fills and empties with each call would leave old tables, too */
  #places: Map<string, Place> | undefined

  /** `shared` is called for each request that joins a call */
  constructor(steady: () => number, shared: () => void) {
    this.#steady = steady
    this.#shared = shared
  }

  /** the result of `make`, or of a call with the same name that is under way */
  join<T>(name: string, context: ReadContext, make: (context: ReadContext) => Promise<T>): Promise<T> {
    const { signal } = context
    if (signal.aborted) return Promise.reject(problemOfAbort(signal))
    const flight = this.#take(name, context, make)
    return new Promise((ok, no) => {
      const leave = () => {
        flight.lose(context)
        no(problemOfAbort(signal))
      }
      signal.addEventListener('abort', leave)
      const landed = () => signal.removeEventListener('abort', leave)
      flight.result.then(
        (document: T) => (landed(), ok(document)),
        (problem: unknown) => {
          landed()
          if (isOnlyTheirs(problem, flight, context)) this.join(name, context, make).then(ok, no)
          else no(problem)
        },
      )
    })
  }

  #take(name: string, context: ReadContext, start: Start): Flight {
    const found = this.#places?.get(name)?.flight
    if (!found || this.#steady() - found.begunAt >= oldestMs) return this.#begin(name, context, start)
    context.cost.shared++
    this.#shared()
    found.welcome(context)
    return found
  }

  #begin(name: string, first: ReadContext, start: Start): Flight {
    const place: Place = { flight: undefined }
    const free = () => {
      place.flight = undefined
      this.#free(name, place)
    }
    const flight = new Flight(first, this.#steady(), free)
    place.flight = flight
    this.#places ??= new Map()
    this.#places.set(name, place)
    flight.result = start(flight)
    flight.result.then(free, free)
    return flight
  }

  #free(name: string, place: Place) {
    const places = this.#places
    if (places?.get(name) !== place) return
    places.delete(name)
    if (places.size === 0) this.#places = undefined
  }
}
