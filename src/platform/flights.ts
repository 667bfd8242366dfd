// Equal reads that are under way at the same time are one call. It goes on while anybody waits for it, and ends when the
// last one has left: who leaves takes nothing from those who stay.
import { Ending } from '../ending.ts'
import type { Errand, Share } from '../engine/port.ts'
import { endOf } from './time.ts'

/** nobody joins a call that has been under way for so long: it may be one that drips for ever */
const oldestMs = 3_000

type Listener = (other: Errand) => void
type Start = (errand: Errand) => Promise<unknown>

const nothing: Promise<unknown> = Promise.resolve()

/** One call, and its errand for all who wait: as urgent as the most urgent of them, for as long as the longest. */
class Flight implements Errand {
  readonly who: string
  readonly fresh: boolean
  readonly cost: Errand['cost']
  readonly trial: Errand['trial']
  readonly trace: Errand['trace']
  readonly signal = new Ending()
  readonly begunAt: number
  // a name stands for one kind of thing, whatever it is
  result: Promise<any> = nothing
  readonly #free: () => void
  readonly #waiting = new Set<Errand>()
  #listeners: Listener[] | undefined = undefined
  /** who came after the first, for those who listen only later: an answer may take several calls */
  #others: Errand[] | undefined = undefined

  constructor(first: Errand, begunAt: number, free: () => void) {
    this.who = first.who
    this.fresh = first.fresh
    this.cost = first.cost
    this.trial = first.trial
    this.trace = first.trace
    this.begunAt = begunAt
    this.#free = free
    this.#waiting.add(first)
    // those who come to wait for the first wait for this, too
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

  welcome(other: Errand) {
    this.#waiting.add(other)
    this.#tell(other)
    other.onJoin?.((one) => this.#tell(one))
  }

  lose(errand: Errand) {
    this.#waiting.delete(errand)
    if (this.#waiting.size > 0) return
    // nobody who comes now may wait for a call that is being given up
    this.#free()
    this.signal.abort(errand.signal.reason)
  }

  #tell(other: Errand) {
    ;(this.#others ??= []).push(other)
    for (const listener of this.#listeners ?? []) listener(other)
  }
}

/**
 * When it has landed it lets go of everything: the map of flights lives long, and the tables that it outgrows are left to the
 * slow collector with what stood in them. (A third of what a request allocates was kept until then: docs/performance.md.)
 */
interface Place {
  flight: Flight | undefined
}

export interface Flights {
  /** what is made, unless the same has just been begun */
  readonly join: Share
}

export function createFlights(steady: () => number, shared: () => void): Flights {
  const places = new Map<string, Place>()

  function begin(name: string, first: Errand, start: Start): Flight {
    const place: Place = { flight: undefined }
    const free = () => {
      place.flight = undefined
      if (places.get(name) === place) places.delete(name)
    }
    const flight = new Flight(first, steady(), free)
    place.flight = flight
    places.set(name, place)
    flight.result = start(flight)
    flight.result.then(free, free)
    return flight
  }

  function take(name: string, errand: Errand, start: Start): Flight {
    const found = places.get(name)?.flight
    if (!found || steady() - found.begunAt >= oldestMs) return begin(name, errand, start)
    errand.cost.shared++
    shared()
    found.welcome(errand)
    return found
  }

  return {
    join<T>(name: string, errand: Errand, make: (errand: Errand) => Promise<T>): Promise<T> {
      const { signal } = errand
      if (signal.aborted) return Promise.reject(endOf(signal))
      const flight = take(name, errand, make)
      return new Promise((ok, no) => {
        const leave = () => {
          flight.lose(errand)
          no(endOf(signal))
        }
        signal.addEventListener('abort', leave)
        const landed = () => signal.removeEventListener('abort', leave)
        flight.result.then(
          (document: T) => (landed(), ok(document)),
          (problem: unknown) => (landed(), no(problem)),
        )
      })
    },
  }
}
