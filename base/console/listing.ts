// A whole listing, loaded page by page: the first pages are shown while the rest is loading.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { ask, queryOf } from './api.ts'
import { isoNow } from './clock.ts'
import { type ApiRefusal, asRefusal } from './refusal.ts'

interface Item {
  readonly id: string
}

export interface Listing<T> {
  readonly items: readonly T[]
  /** `more`: the next ones are loaded on request */
  readonly state: 'loading' | 'more' | 'whole' | 'failed'
  readonly refusal: ApiRefusal | undefined
  /** when all of it was loaded; undefined: it is a part */
  readonly readAt?: string | undefined
}

export interface UsedListing<T> {
  readonly listing: Signal<Listing<T>>
  readonly again: () => void
  readonly more: () => void
  readonly put: (item: T) => void
  readonly drop: (id: string) => void
}

const pageSize = 200
/** loaded without another request */
const enough = 5_000

/** added, changed or removed (undefined) here meanwhile: a page read before does not know of it */
type Changes<T> = Map<string, T | undefined>

function withChanges<T extends Item>(items: readonly T[], changes: Changes<T>): readonly T[] {
  const read = new Set(items.map(({ id }) => id))
  const added = [...changes].flatMap(([id, item]) => (item === undefined || read.has(id) ? [] : [item]))
  return [...added, ...items.flatMap((one) => (changes.has(one.id) ? (changes.get(one.id) ?? []) : one))]
}

export function useListing<T extends Item>(path: string): UsedListing<T> {
  const listing = useSignal<Listing<T>>({ items: [], state: 'loading', refusal: undefined })
  const turn = useSignal(0)
  const stoppedAt = useRef<string | undefined>(undefined)
  const flight = useRef(new AbortController())
  const changes = useRef<Changes<T>>(new Map())
  const readPages = async (signal: AbortSignal, since: Changes<T>, from: string | undefined) => {
    const items = from === undefined ? [] : [...listing.peek().items]
    // a listing that is shown is replaced once the new one is complete
    const isQuiet = from === undefined && listing.peek().items.length > 0
    const until = items.length + enough
    listing.value = { ...listing.peek(), state: 'loading' }
    for (let cursor = from, isOver = false; !isOver;) {
      const page: { items: T[]; nextCursor: string | null } = await ask(
        `${path}${queryOf({ limit: pageSize, cursor })}`,
        { signal },
      )
      if (signal.aborted) return
      items.push(...page.items)
      cursor = stoppedAt.current = page.nextCursor ?? undefined
      isOver = cursor === undefined || items.length >= until
      const state = cursor === undefined ? 'whole' : isOver ? 'more' : 'loading'
      const readAt = state === 'whole' ? isoNow() : undefined
      if (isOver || !isQuiet) listing.value = { items: withChanges(items, since), state, refusal: undefined, readAt }
    }
  }
  const start = (from?: string) => {
    flight.current.abort()
    const { signal } = (flight.current = new AbortController())
    changes.current = new Map()
    readPages(signal, changes.current, from).catch((error: unknown) => {
      if (!signal.aborted) listing.value = { ...listing.peek(), state: 'failed', refusal: asRefusal(error) }
    })
  }
  useEffect(() => {
    start()
    return () => flight.current.abort()
  }, [turn.value, path])
  const change = (items: readonly T[]) => void (listing.value = { ...listing.peek(), items })
  return {
    listing,
    again: () => void turn.value++,
    more: () => start(stoppedAt.current),
    put(item) {
      changes.current.set(item.id, item)
      const { items } = listing.peek()
      const isKnown = items.some(({ id }) => id === item.id)
      change(isKnown ? items.map((one) => (one.id === item.id ? item : one)) : [item, ...items])
    },
    drop(id) {
      changes.current.set(id, undefined)
      change(listing.peek().items.filter((one) => one.id !== id))
    },
  }
}
