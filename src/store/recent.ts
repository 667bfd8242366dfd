// A short memory of records that were found, for a database that is a network away. What is absent is never remembered, nor
// is a failure; equal lookups at one time are one query.

export interface Recent<T> {
  find(id: string): Promise<T | undefined>
  /** after every write of ours */
  forget(id: string): void
}

interface Flight<T> {
  /** when it set out: what it brings may be as old as this */
  readonly at: number
  readonly record: Promise<T | undefined>
}

export interface RecentOptions {
  readonly ms: number
  readonly limit?: number
  readonly now?: () => number
}

export function createRecent<T>(
  look: (id: string) => Promise<T | undefined>,
  { ms, limit = 10_000, now = () => performance.now() }: RecentOptions,
): Recent<T> {
  const found = new Map<string, { at: number; record: T }>()
  const flights = new Map<string, Flight<T>>()

  function remember(id: string, at: number, record: T) {
    found.delete(id)
    found.set(id, { at, record })
    const [oldest] = found.keys()
    if (found.size > limit && oldest !== undefined) found.delete(oldest)
  }

  function setOut(id: string): Flight<T> {
    const fly = async () => {
      try {
        const record = await look(id)
        // a flight that was forgotten meanwhile, or overtaken, brings what may be gone
        if (record !== undefined && flights.get(id) === flight) remember(id, flight.at, record)
        return record
      } finally {
        if (flights.get(id) === flight) flights.delete(id)
      }
    }
    const begun = Promise.withResolvers<T | undefined>()
    const flight: Flight<T> = { at: now(), record: begun.promise }
    flights.set(id, flight)
    fly().then(begun.resolve, begun.reject)
    return flight
  }

  return {
    async find(id) {
      const asked = now()
      const known = found.get(id)
      if (known && asked - known.at < ms) return known.record
      if (known) found.delete(id)
      const other = flights.get(id)
      if (other && asked - other.at < ms) {
        const record = await other.record
        if (record !== undefined) return record
        // it may have set out before the record was there; all who waited share the next one
        const next = flights.get(id)
        return (next && next.at >= asked ? next : setOut(id)).record
      }
      return setOut(id).record
    },
    forget(id) {
      found.delete(id)
      flights.delete(id)
    },
  }
}
