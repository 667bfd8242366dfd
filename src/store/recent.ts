// A short memory of records that were found, for a database that is a network away. What is absent is never remembered, nor
// is a failure; equal lookups at one time are one query. While the database cannot be asked, a record is believed for longer
// where somebody vouches for it.
import type { Confirmation, Vigil } from './outage.ts'
import type { Database } from './sql.ts'

/** how long a query is waited for where there is a record to believe */
const slowMs = 200

/** asked also where nothing is remembered, so that it takes as long; false for no record */
export type Fits<T> = (record: T | undefined) => boolean

/** `fits`: a remembered record that does not is looked for again, as one that is absent would be, and stays for others */
export type Find<T> = (id: string, fits?: Fits<T>) => Promise<T | undefined>

export const anything: Fits<unknown> = (record) => record !== undefined

export interface Recent<T> {
  readonly find: Find<T>
  /** after every write of ours */
  forget(id: string): void
}

interface Found<T> extends Confirmation {
  readonly record: T
}

interface Flight<T> extends Confirmation {
  /** what it brings may be as old as the moment it set out */
  readonly record: Promise<T | undefined>
}

export interface RecentOptions {
  readonly ms: number
  readonly limit?: number
  readonly now?: () => number
  /** undefined: nothing is believed for longer */
  readonly vigil?: () => Vigil | undefined
}

type Ended<T> = { readonly brought: T } | { readonly error: unknown } | 'late'

function within<T>(asking: Promise<T>, mostMs: number): Promise<Ended<T>> {
  return new Promise((ok) => {
    const timer = setTimeout(ok, mostMs, 'late')
    asking.then(
      (brought) => ok({ brought }),
      (error: unknown) => ok({ error }),
    )
    void asking.catch(() => undefined).finally(() => clearTimeout(timer))
  })
}

export function createRecent<T>(
  look: (id: string) => Promise<T | undefined>,
  { ms, limit = 10_000, now = () => performance.now(), vigil = () => undefined }: RecentOptions,
): Recent<T> {
  const found = new Map<string, Found<T>>()
  const flights = new Map<string, Flight<T>>()

  function remember(id: string, one: Found<T>) {
    found.delete(id)
    found.set(id, one)
    const [oldest] = found.keys()
    if (found.size > limit && oldest !== undefined) found.delete(oldest)
  }

  function setOut(id: string): Flight<T> {
    const fly = async () => {
      try {
        const record = await look(id)
        // a flight that was forgotten meanwhile, or overtaken, brings what may be gone
        if (flights.get(id) === flight) {
          if (record === undefined) found.delete(id)
          else remember(id, { at: flight.at, stamp: flight.stamp, record })
        }
        return record
      } finally {
        if (flights.get(id) === flight) flights.delete(id)
      }
    }
    const begun = Promise.withResolvers<T | undefined>()
    const flight: Flight<T> = { at: now(), stamp: vigil()?.stamp(), record: begun.promise }
    flights.set(id, flight)
    fly().then(begun.resolve, begun.reject)
    return flight
  }

  async function ask(id: string, asked: number, fits: Fits<T>): Promise<T | undefined> {
    const other = flights.get(id)
    if (!other || asked - other.at >= ms) return setOut(id).record
    const record = await other.record
    if (fits(record)) return record
    // it may have set out before the record was there; all who waited share the next one
    const next = flights.get(id)
    return (next && next.at >= asked ? next : setOut(id)).record
  }

  /** `known` as it was before: it may be forgotten, or overtaken, while somebody is asked to vouch for it */
  async function believe(id: string, known: Found<T>, watch: Vigil): Promise<T | undefined> {
    const isVouchedFor = await watch.vouches(known)
    return isVouchedFor && found.get(id) === known ? known.record : undefined
  }

  async function findWhileWatched(id: string, known: Found<T>, asked: number, watch: Vigil): Promise<T | undefined> {
    const asking = watch.isAway() ? undefined : ask(id, asked, anything)
    if (asking) {
      const ended = await within(asking, slowMs)
      if (ended === 'late') watch.doubt(`it has not answered for ${slowMs} ms`)
      else if ('brought' in ended) return ended.brought
      // a server that refuses is there, and nothing is believed in its place
      else if (!watch.isDoubted()) throw ended.error
    }
    return (await believe(id, known, watch)) ?? asking ?? ask(id, asked, anything)
  }

  return {
    async find(id, fits = anything) {
      const asked = now()
      const held = found.get(id)
      const known = fits(held?.record) ? held : undefined
      if (known && asked - known.at < ms) return known.record
      const watch = vigil()
      if (known && watch) return findWhileWatched(id, known, asked, watch)
      if (known) found.delete(id)
      return ask(id, asked, fits)
    },
    forget(id) {
      found.delete(id)
      flights.delete(id)
    },
  }
}

/** undefined over a database that tells by itself when something has changed */
export const recentOver = <T>(
  { remembersMs: ms, attended }: Pick<Database, 'remembersMs' | 'attended'>,
  look: (id: string) => Promise<T | undefined>,
): Recent<T> | undefined => (ms > 0 ? createRecent(look, { ms, vigil: () => attended.vigil }) : undefined)
