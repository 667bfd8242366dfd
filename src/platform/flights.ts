// Equal reads that are under way at the same time are one call. It goes on while anybody waits for it, and ends when the
// last one has left: who leaves takes nothing from those who stay.
import type { Errand } from '../engine/port.ts'
import { endOf } from './time.ts'

/** nobody joins a call that has been under way for so long: it may be one that drips for ever */
const oldestMs = 3_000

type Listener = (other: Errand) => void

interface Flight {
  readonly result: Promise<unknown>
  readonly waiting: Set<Errand>
  readonly listeners: Listener[]
  readonly end: AbortController
  readonly begunAt: number
}

/** the errand of all who wait: as urgent as the most urgent of them, for as long as the longest */
function together(first: Errand, { waiting, listeners, end }: Omit<Flight, 'result'>): Errand {
  return {
    ...first,
    signal: end.signal,
    get endsAt() {
      return Math.max(...[...waiting].map(({ endsAt }) => endsAt))
    },
    get patient() {
      return [...waiting].every(({ patient }) => patient)
    },
    onJoin: (listener) => void listeners.push(listener),
  }
}

export interface Flights {
  /** `begin` makes the call, unless an equal one has just begun */
  join(name: string, errand: Errand, begin: (errand: Errand) => Promise<unknown>): Promise<unknown>
}

export function createFlights(steady: () => number, shared: () => void): Flights {
  const flights = new Map<string, Flight>()

  function begin(name: string, errand: Errand, start: (errand: Errand) => Promise<unknown>): Flight {
    const parts = {
      ...{ waiting: new Set([errand]), listeners: [], end: new AbortController(), begunAt: steady() },
    }
    const flight: Flight = { ...parts, result: start(together(errand, parts)) }
    flights.set(name, flight)
    const land = () => flights.get(name) === flight && flights.delete(name)
    flight.result.then(land, land)
    return flight
  }

  function joinable(name: string): Flight | undefined {
    const found = flights.get(name)
    return found && steady() - found.begunAt < oldestMs ? found : undefined
  }

  function take(name: string, errand: Errand, start: (errand: Errand) => Promise<unknown>): Flight {
    const found = joinable(name)
    if (!found) return begin(name, errand, start)
    errand.cost.shared++
    shared()
    found.waiting.add(errand)
    for (const listener of found.listeners) listener(errand)
    return found
  }

  return {
    async join(name, errand, start) {
      const { signal } = errand
      if (signal.aborted) throw endOf(signal)
      const flight = take(name, errand, start)
      const { result, waiting, end } = flight
      return new Promise((ok, no) => {
        const leave = () => {
          waiting.delete(errand)
          if (waiting.size === 0) {
            // nobody who comes now may wait for a call that is being given up
            if (flights.get(name) === flight) flights.delete(name)
            end.abort(signal.reason)
          }
          no(endOf(signal))
        }
        signal.addEventListener('abort', leave)
        const landed = () => signal.removeEventListener('abort', leave)
        result.then(
          (document) => (landed(), ok(document)),
          (problem) => (landed(), no(problem)),
        )
      })
    },
  }
}
