// What the service last reported of itself and of each connection: a signal for each, so that only what changes is drawn.
import { batch, type Signal, signal } from '@preact/signals'
import type { Card, ServiceState } from './answers.ts'
import { setServiceTime } from '../../../base/console/clock.ts'

export const service = signal<ServiceState | undefined>(undefined)
/** of all known connections, in order */
export const ids = signal<readonly string[]>([])
export const isComplete = signal(false)
export const updatedAt = signal<string | undefined>(undefined)
updatedAt.subscribe(setServiceTime)

const byId = new Map<string, Signal<Card>>()

export const cardOf = (id: string): Signal<Card> | undefined => byId.get(id)

const updateIds = () => void (ids.value = [...byId.keys()].sort())

function put(card: Card) {
  const known = byId.get(card.id)
  if (known) known.value = card
  else byId.set(card.id, signal(card))
}

export function dropCards(removed: readonly string[]) {
  for (const id of removed) byId.delete(id)
  if (removed.length > 0) updateIds()
}

/** All connections once, from the first to the last, and then the changes. */
export function beginSnapshot() {
  const reported = new Set<string>()
  return {
    take: (at: string, cards: readonly Card[]) =>
      batch(() => {
        const known = byId.size
        for (const card of cards) {
          reported.add(card.id)
          put(card)
        }
        if (byId.size !== known) updateIds()
        updatedAt.value = at
      }),
    /** connections that were not reported are gone */
    end: (at: string, count: number) =>
      batch(() => {
        dropCards([...byId.keys()].filter((id) => !reported.has(id)))
        updatedAt.value = at
        isComplete.value = byId.size === count
      }),
  }
}

/** the next operator starts with nothing */
export function clearStore() {
  batch(() => {
    byId.clear()
    service.value = undefined
    ids.value = []
    isComplete.value = false
    updatedAt.value = undefined
  })
}
