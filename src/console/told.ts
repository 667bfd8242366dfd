// What the service has told of itself and of each connection: a signal for each, so that what changes is drawn alone.
import { batch, type Signal, signal } from '@preact/signals'
import type { Card, ServiceState } from './answers.ts'

export const service = signal<ServiceState | undefined>(undefined)
/** of all connections that are known, in order */
export const ids = signal<readonly string[]>([])
/** whether all of them were told since the page began to listen */
export const isWhole = signal(false)
/** when it was last heard how things stand, by the clock of the service */
export const toldAt = signal<string | undefined>(undefined)

const byId = new Map<string, Signal<Card>>()

/** undefined: there is none of this id */
export const cardOf = (id: string): Signal<Card> | undefined => byId.get(id)

const order = () => void (ids.value = [...byId.keys()].sort())

function put(card: Card) {
  const its = byId.get(card.id)
  if (its) its.value = card
  else byId.set(card.id, signal(card))
}

export function dropCards(gone: readonly string[]) {
  for (const id of gone) byId.delete(id)
  if (gone.length > 0) order()
}

/** All of them told once, from the first to the last, and then what changes. */
export interface Telling {
  take(at: string, cards: readonly Card[]): void
  /** all were told: what was not is not there any more */
  end(at: string, count: number): void
}

export function beginTelling(): Telling {
  const told = new Set<string>()
  return {
    take: (at, cards) =>
      batch(() => {
        const known = byId.size
        for (const card of cards) {
          told.add(card.id)
          put(card)
        }
        if (byId.size !== known) order()
        toldAt.value = at
      }),
    end: (at, count) =>
      batch(() => {
        dropCards([...byId.keys()].filter((id) => !told.has(id)))
        toldAt.value = at
        isWhole.value = byId.size === count
      }),
  }
}

/** whoever signs in next begins with nothing */
export function forgetAll() {
  batch(() => {
    byId.clear()
    service.value = undefined
    ids.value = []
    isWhole.value = false
    toldAt.value = undefined
  })
}
