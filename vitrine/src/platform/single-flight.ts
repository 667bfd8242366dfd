// Equal reads at the same time share one call, which ends early only when the last request that waits for it has left.
import { LightAbort } from '../../../base/core/abort.ts'
import type { Holder } from '../../../base/core/holder.ts'
import type { ReadContext } from './port.ts'
import { Problem, problemOfAbort } from '../problems.ts'

/** no read joins an older call, which may never end */
const oldestMs = 3_000

type Listener = (other: ReadContext) => void
type Start = (context: ReadContext) => Promise<Holder<unknown>>

/** A request that waits for the call, and what it would have made itself. */
interface Waiter {
  readonly context: ReadContext
  readonly start: Start
  // one name always stands for one type
  readonly ok: (result: Holder<any>) => void
  readonly no: (problem: unknown) => void
  readonly leave: () => void
}

/** One call with a context for all its requests: the highest urgency and the latest deadline count. */
class Flight implements ReadContext {
  readonly who: string
  readonly fresh: boolean
  readonly cost: ReadContext['cost']
  readonly budget: ReadContext['budget']
  readonly trial: ReadContext['trial']
  readonly trace: ReadContext['trace']
  readonly signal = new LightAbort()
  readonly name: string
  readonly begunAt: number
  readonly #free: (flight: Flight) => void
  readonly #waiting: Waiter[] = []
  #listeners: Listener[] | undefined = undefined
  /** requests after the first, for listeners that come later */
  #others: ReadContext[] | undefined = undefined

  constructor(name: string, first: ReadContext, begunAt: number, free: (flight: Flight) => void) {
    this.who = first.who
    this.fresh = first.fresh
    this.cost = first.cost
    this.budget = first.budget
    this.trial = first.trial
    this.trace = first.trace
    this.name = name
    this.begunAt = begunAt
    this.#free = free
  }

  get endsAt(): number {
    let latest = Number.NEGATIVE_INFINITY
    for (const { context } of this.#waiting) latest = Math.max(latest, context.endsAt)
    return latest
  }

  get patient(): boolean {
    for (const { context } of this.#waiting) if (!context.patient) return false
    return true
  }

  onJoin(listener: Listener) {
    ;(this.#listeners ??= []).push(listener)
    for (const other of this.#others ?? []) if (!other.signal.aborted) listener(other)
  }

  welcome(waiter: Waiter) {
    const { context } = waiter
    if (this.#waiting.push(waiter) > 1) this.#tell(context)
    context.signal.addEventListener('abort', waiter.leave)
    context.onJoin?.((other) => this.#tell(other))
  }

  lose(waiter: Waiter) {
    const { signal } = waiter.context
    this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
    waiter.no(problemOfAbort(signal))
    if (this.#waiting.length > 0) return
    // before the abort, so that no new request joins
    this.#free(this)
    this.signal.abort(signal.reason)
  }

  /** those who still wait for the result, and are now told of it */
  end(): Waiter[] {
    this.#free(this)
    const waiting = this.#waiting.splice(0)
    for (const { context, leave } of waiting) context.signal.removeEventListener('abort', leave)
    return waiting
  }

  #tell(other: ReadContext) {
    ;(this.#others ??= []).push(other)
    for (const listener of this.#listeners ?? []) listener(other)
  }
}

/** The key that began the call cannot pay for it: those who share it with another key make it themselves. */
const isOnlyTheirs = (problem: unknown, { who }: Flight, { context }: Waiter): boolean =>
  problem instanceof Problem && problem.code === 'key_budget_spent' && who !== context.who

function land(flight: Flight, result: Holder<unknown>) {
  const waiting = flight.end()
  result.share(waiting.length)
  for (const { ok } of waiting) ok(result)
}

export class SingleFlight {
  readonly #steady: () => number
  readonly #shared: () => void
  /** Those under way. Not a Map, for which V8 internalizes each new name, and which leaves old tables (docs/decisions/speed.md). */
  readonly #flights: Flight[] = []

  /** `shared` is called for each request that joins a call */
  constructor(steady: () => number, shared: () => void) {
    this.#steady = steady
    this.#shared = shared
  }

  /** the result of `make`, or of a call with the same name that is under way */
  join<T>(name: string, context: ReadContext, make: (context: ReadContext) => Promise<Holder<T>>): Promise<Holder<T>> {
    if (context.signal.aborted) return Promise.reject(problemOfAbort(context.signal))
    return new Promise((ok, no) => {
      const waiter: Waiter = { context, start: make, ok, no, leave: () => flight.lose(waiter) }
      const now = this.#steady()
      const found = this.#find(name, now)
      const flight = found ?? new Flight(name, context, now, this.#free)
      flight.welcome(waiter)
      if (!found) return this.#begin(flight, make)
      context.cost.shared++
      this.#shared()
    })
  }

  #find(name: string, now: number): Flight | undefined {
    for (const flight of this.#flights) if (flight.name === name && now - flight.begunAt < oldestMs) return flight
    return undefined
  }

  #begin(flight: Flight, start: Start) {
    this.#flights.push(flight)
    start(flight).then(
      (result) => land(flight, result),
      (problem: unknown) => this.#crash(flight, problem),
    )
  }

  #crash(flight: Flight, problem: unknown) {
    for (const waiter of flight.end()) {
      const { context, start, ok, no } = waiter
      if (isOnlyTheirs(problem, flight, waiter)) this.join(flight.name, context, start).then(ok, no)
      else no(problem)
    }
  }

  readonly #free = (flight: Flight) => {
    const at = this.#flights.indexOf(flight)
    if (at >= 0) this.#flights.splice(at, 1)
  }
}
