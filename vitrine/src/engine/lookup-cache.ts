// What lookups found: which localization has this locale, and that a child belongs to its parent.
// An implementation bounds the cache and keeps connections apart.
import { type Lookup, fillPath } from './plan.ts'
import { markOf, noMark } from './position.ts'

export type FoundIds = Readonly<Record<string, string>>

export interface LookupCache {
  get(name: string): FoundIds | undefined
  set(name: string, found: FoundIds): void
  delete(name: string): void
}

export interface LookupCaches {
  /** `fresh`: a cache that never hits but stores what it learns */
  of(owner: object, fresh: boolean): LookupCache
}

/** unique: no path and no type holds a space */
export const lookupCacheKey = ({ endpoint, ids, type, wanted }: Lookup): string =>
  `${fillPath(endpoint, ids)} ${type} ${wanted}`

/** equal for equal ids; cursors carry it from page to page */
export const foundIdsMark = (found: FoundIds | undefined): string => (found ? markOf(JSON.stringify(found)) : noMark)
