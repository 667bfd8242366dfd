// Caches records: of a remote database for a moment, of SQLite until anything changes, which it can tell ten times faster than
// a query takes. Missing records and failures are never cached; equal lookups share one query.
import { LRUCache } from 'lru-cache'
import { withDeadline, steadyMs } from '../core/abort.ts'
import type { Confirmation, DatabaseHealth } from './outage.ts'
import type { Database } from './sql.ts'

const slowMs = 200
const mostRecords = 10_000

/** also called for a missing record, so that both take as long; false for a missing one */
export type Fits<T> = (record: T | undefined) => boolean

export type Find<T> = (id: string, fits?: Fits<T>) => Promise<T | undefined>

export const isPresent: Fits<unknown> = (record) => record !== undefined

export interface RecentCache<T> {
  readonly find: Find<T>
  readonly forget: (id: string) => void
}

interface Found<T> extends Confirmation {
  readonly record: T
}

interface RunningQuery<T> extends Confirmation {
  readonly record: Promise<T | undefined>
}

export interface RecentOptions {
  readonly ms: number
  readonly limit?: number
  readonly now?: () => number
  readonly health?: () => DatabaseHealth | undefined
}

/** a record that is held while the database is watched, and the read that asked for it */
interface Held<T> {
  readonly id: string
  readonly known: Found<T>
  readonly asked: number
  readonly databaseHealth: DatabaseHealth
}

type Ended<T> = { readonly record: T } | { readonly error: unknown }

const endOf = <T>(asking: Promise<T>): Promise<Ended<T>> =>
  asking.then(
    (record) => ({ record }),
    (error: unknown) => ({ error }),
  )

export function createRecentCache<T>(
  look: (id: string) => Promise<T | undefined>,
  { ms, limit = mostRecords, now = steadyMs, health = () => undefined }: RecentOptions,
): RecentCache<T> {
  const found = new LRUCache<string, Found<T>>({ max: limit })
  const queries = new Map<string, RunningQuery<T>>()

  function startQuery(id: string): RunningQuery<T> {
    const run = async () => {
      try {
        const record = await look(id)
        // a query that a write or a newer query overtook may bring an old record
        if (queries.get(id) === query) {
          if (record === undefined) found.delete(id)
          else found.set(id, { at: query.at, mark: query.mark, record })
        }
        return record
      } finally {
        if (queries.get(id) === query) queries.delete(id)
      }
    }
    const begun = Promise.withResolvers<T | undefined>()
    const query: RunningQuery<T> = { at: now(), mark: health()?.mark(), record: begun.promise }
    queries.set(id, query)
    run().then(begun.resolve, begun.reject)
    return query
  }

  async function ask(id: string, asked: number, fits: Fits<T>): Promise<T | undefined> {
    const other = queries.get(id)
    if (!other || asked - other.at >= ms) return startQuery(id).record
    const record = await other.record
    if (fits(record)) return record
    const next = queries.get(id)
    return (next && next.at >= asked ? next : startQuery(id)).record
  }

  /** While a confirmation is awaited, the query of another caller may bring a newer record. */
  async function confirmed({ id, known, asked, databaseHealth }: Held<T>): Promise<T | undefined> {
    const isVouchedFor = await databaseHealth.confirms(known)
    const latest = found.get(id)
    if (latest === known) return isVouchedFor ? known.record : undefined
    if (!latest || latest.at >= asked) return latest?.record
    return confirmed({ id, known: latest, asked, databaseHealth })
  }

  async function findWithHealth(held: Held<T>): Promise<T | undefined> {
    const { id, asked, databaseHealth } = held
    const asking = databaseHealth.isDown() ? undefined : ask(id, asked, isPresent)
    if (asking) {
      const ended = await withDeadline(endOf(asking), slowMs, () => 'late' as const)
      if (ended === 'late') databaseHealth.suspect(`it has not answered for ${slowMs} ms`)
      else if ('record' in ended) return ended.record
      // the server answered, with a refusal: no cached record replaces that
      else if (!databaseHealth.isSuspect()) throw ended.error
    }
    return (await confirmed(held)) ?? asking ?? ask(id, asked, isPresent)
  }

  return {
    async find(id, fits = isPresent) {
      const asked = now()
      const held = found.get(id)
      const known = fits(held?.record) ? held : undefined
      if (known && asked - known.at < ms) return known.record
      const databaseHealth = health()
      if (known && databaseHealth) return findWithHealth({ id, known, asked, databaseHealth })
      if (known) found.delete(id)
      return ask(id, asked, fits)
    },
    forget(id) {
      found.delete(id)
      queries.delete(id)
    },
  }
}

export function createUnchangedCache<T extends {}>(
  look: (id: string) => Promise<T | undefined>,
  changes: () => number | undefined,
): Find<T> {
  const found = new LRUCache<string, T>({ max: mostRecords })
  let foundAt: number | undefined

  return async (id, fits = isPresent) => {
    const at = changes()
    if (at !== foundAt) found.clear()
    foundAt = at
    const known = found.get(id)
    if (fits(known)) return known
    const record = await look(id)
    if (record !== undefined && at !== undefined && foundAt === at) found.set(id, record)
    return record
  }
}

export function createRecordCache<T extends {}>(
  db: Pick<Database, 'cacheMs' | 'outage' | 'changes'>,
  look: (id: string) => Promise<T | undefined>,
): RecentCache<T> {
  if (db.cacheMs > 0) return createRecentCache(look, { ms: db.cacheMs, health: () => db.outage.health })
  return { find: createUnchangedCache(look, () => db.changes()), forget: () => {} }
}
