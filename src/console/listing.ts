// A whole listing, page by page: what has come is shown while the rest is on its way, and it is said whether all of it is here.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Page } from './answers.ts'
import { ask, queryOf } from './api.ts'
import { momentNow } from './clock.ts'
import { asRefusal, type Refusal } from './refusal.ts'

export interface Listing<T> {
  readonly items: readonly T[]
  /** `more`: there are others, and so many at once are enough */
  readonly state: 'loading' | 'more' | 'whole' | 'failed'
  readonly refusal: Refusal | undefined
  /** when what is shown was read, all of it; undefined: it is a part */
  readonly readAt?: string | undefined
}

const pageSize = 200
/** then somebody has to ask for the next ones */
const enough = 5_000

interface Walk<T> {
  readonly path: string
  readonly listing: Signal<Listing<T>>
  readonly signal: AbortSignal
  /** goes on behind what is there, instead of beginning anew */
  readonly from?: string | undefined
  /** what came, changed (or went: undefined) here since it was asked: a page read before does not know of it */
  readonly since: ReadonlyMap<string, T | undefined>
}

function mended<T extends { readonly id: string }>(items: readonly T[], since: Walk<T>['since']): readonly T[] {
  if (since.size === 0) return [...items]
  const read = new Set(items.map(({ id }) => id))
  const fresh = [...since].flatMap(([id, item]) => (item === undefined || read.has(id) ? [] : [item]))
  return [...fresh, ...items.flatMap((one) => (since.has(one.id) ? (since.get(one.id) ?? []) : one))]
}

/** the cursor that it stopped at, if there is more */
async function walk<T extends { readonly id: string }>({
  path,
  listing,
  signal,
  from,
  since,
}: Walk<T>): Promise<string | undefined> {
  const shown = listing.peek().items
  // what is shown already is not taken away page by page
  const isQuiet = from === undefined && shown.length > 0
  const items = from === undefined ? [] : [...shown]
  const until = items.length + enough
  for (let cursor = from; ;) {
    const page: Page<T> = await ask(`${path}${queryOf({ limit: pageSize, cursor })}`, { signal })
    if (signal.aborted) return undefined
    items.push(...page.items)
    cursor = page.nextCursor ?? undefined
    const isOver = cursor === undefined || items.length >= until
    const state = cursor === undefined ? 'whole' : isOver ? 'more' : 'loading'
    const readAt = state === 'whole' ? momentNow() : undefined
    if (isOver || !isQuiet) listing.value = { items: mended(items, since), state, refusal: undefined, readAt }
    if (isOver) return cursor
  }
}

export interface UsedListing<T> {
  readonly listing: Signal<Listing<T>>
  /** from the start; what is shown stays until the new is whole */
  readonly again: () => void
  /** goes on where it stopped */
  readonly more: () => void
  /** an item that came or changed, by its id */
  readonly put: (item: T) => void
  readonly drop: (id: string) => void
}

export function useListing<T extends { readonly id: string }>(path: string): UsedListing<T> {
  const listing = useSignal<Listing<T>>({ items: [], state: 'loading', refusal: undefined })
  const turn = useSignal(0)
  const stopped = useSignal<string | undefined>(undefined)
  const going = useSignal<AbortController | undefined>(undefined)
  const since = useRef(new Map<string, T | undefined>())
  const start = (from?: string) => {
    going.value?.abort()
    since.current = new Map()
    const flight = (going.value = new AbortController())
    listing.value = { ...listing.peek(), state: 'loading' }
    walk({ path, listing, signal: flight.signal, from, since: since.current }).then(
      (cursor) => void (stopped.value = cursor),
      (error: unknown) => {
        if (!flight.signal.aborted) listing.value = { ...listing.peek(), state: 'failed', refusal: asRefusal(error) }
      },
    )
  }
  useEffect(() => {
    start()
    return () => going.value?.abort()
  }, [turn.value, path])
  const change = (items: readonly T[]) => void (listing.value = { ...listing.peek(), items })
  return {
    listing,
    again: () => void turn.value++,
    more: () => start(stopped.value),
    put(item) {
      since.current.set(item.id, item)
      const { items } = listing.peek()
      const known = items.some(({ id }) => id === item.id)
      change(known ? items.map((one) => (one.id === item.id ? item : one)) : [item, ...items])
    },
    drop(id) {
      since.current.set(id, undefined)
      change(listing.peek().items.filter((one) => one.id !== id))
    },
  }
}
