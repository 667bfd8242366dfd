// What lookups have found out, for a while: which localization has this locale, and that a child belongs to its parent.
// Whoever keeps it bounds it, and keeps what was learnt through one connection apart from every other.
import type { Lookup } from './plan.ts'
import { markOf, noMark } from './place.ts'
import { fillPath } from './target.ts'

export type Found = Readonly<Record<string, string>>

export interface Memory {
  recall(name: string): Found | undefined
  keep(name: string, found: Found): void
  forget(name: string): void
}

export interface Memories {
  /** of this owner alone; `fresh`: one that recalls nothing, and keeps what it learns */
  of(owner: object, fresh: boolean): Memory
}

/** what a lookup asks, and of whom */
export const nameOf = ({ endpoint, ids, type, wanted }: Lookup): string =>
  JSON.stringify([fillPath(endpoint, ids), type, wanted])

/** the same for the same findings; a walk carries it from page to page */
export const markOfFound = (found: Found | undefined): string => (found ? markOf(JSON.stringify(found)) : noMark)
