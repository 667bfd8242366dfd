// The state of all connections, with the version of each change. It is refreshed once for all listeners, who each get what is
// new to them, and in steps, so that ten thousand connections block no request.
import { setImmediate } from 'node:timers/promises'
import { isoOf } from '../../../base/core/moment.ts'
import { eventOf } from '../../../base/web/event-stream.ts'
import type { ManagementParts } from './operation.ts'
import { createCards, serviceState } from './overview.ts'

/** an event, made when it is sent */
export type Piece = () => Buffer

export type LiveSnapshot = ReturnType<typeof openSnapshot>

export type SnapshotParts = Pick<ManagementParts, 'connections' | 'history' | 'service' | 'ready' | 'now'>

/** cards refreshed in one step, and cards of one event */
const [atOnce, ofEvent] = [100, 100]

interface Kept {
  readonly text: string
  readonly version: number
}

function once(make: () => string): Piece {
  let made: Buffer | undefined
  return () => (made ??= Buffer.from(make()))
}

/** the cards that changed */
async function changedCards(ids: readonly string[], draw: (id: string) => object, kept: Cards) {
  const fresh: [id: string, text: string][] = []
  for (const [i, id] of ids.entries()) {
    if (i % atOnce === atOnce - 1) await setImmediate()
    const text = JSON.stringify(draw(id))
    if (kept.get(id)?.text !== text) fresh.push([id, text])
  }
  return fresh
}

type Cards = ReadonlyMap<string, Kept>

function piecesOf(at: string, texts: readonly string[]): Piece[] {
  return Array.from({ length: Math.ceil(texts.length / ofEvent) }, (_, i) =>
    once(() => {
      const some = texts.slice(i * ofEvent, (i + 1) * ofEvent)
      return eventOf('cards', `{"at":${at},"items":[${some.join(',')}]}`)
    }),
  )
}

/** rejects if the state cannot be read */
export async function createSnapshot(parts: SnapshotParts) {
  const fresh = openSnapshot(parts)
  await fresh.refresh()
  return fresh
}

function openSnapshot(parts: SnapshotParts) {
  const cards = new Map<string, Kept>()
  const removed = new Map<string, number>()
  let service = { text: '', sent: '', version: 0 }
  let [version, at] = [0, '']
  let made = new Map<number, readonly Piece[]>()

  function keep(fresh: readonly (readonly [id: string, text: string])[], there: readonly string[]) {
    const next = version + 1
    const isThere = new Set(there)
    const gone = [...cards.keys()].filter((id) => !isThere.has(id))
    for (const [id, text] of fresh) {
      cards.set(id, { text, version: next })
      removed.delete(id)
    }
    for (const id of gone) {
      cards.delete(id)
      removed.set(id, next)
    }
    if (fresh.length > 0 || gone.length > 0) version = next
  }

  /** a changed uptime alone is no change */
  function keepService(state: Awaited<ReturnType<typeof serviceState>>) {
    const text = JSON.stringify({ ...state, uptimeSec: 0 })
    const isNew = service.text !== text
    if (isNew) version++
    service = { text, sent: JSON.stringify(state), version: isNew ? version : service.version }
  }

  function make(from: number): Piece[] {
    const changed = [...cards.values()].filter((card) => card.version > from).map(({ text }) => text)
    const gone = [...removed].filter(([, since]) => since > from).map(([id]) => id)
    const [{ sent }, count, drawnAt] = [service, cards.size, at]
    return [
      ...(service.version > from ? [once(() => eventOf('service', sent))] : []),
      ...(from > 0 && gone.length > 0 ? [once(() => eventOf('removed', JSON.stringify({ ids: gone })))] : []),
      ...piecesOf(drawnAt, changed),
      ...(from === 0 ? [once(() => eventOf('whole', `{"at":${drawnAt},"count":${count}}`))] : []),
    ]
  }

  return {
    /** grows with each change */
    version: () => version,
    async refresh() {
      // without the store, the last known connections stay, and the service state says that it is not ready
      const there = await parts.connections.ids().catch((error: unknown) => {
        if (version === 0) throw error
        return [...cards.keys()]
      })
      const fresh = await changedCards(there, createCards(parts), cards)
      const state = await serviceState(parts, there.length)
      at = JSON.stringify(isoOf(parts.now()))
      made = new Map()
      keep(fresh, there)
      keepService(state)
    },
    /** the changes after this version; 0: everything */
    since(from: number) {
      const found = made.get(from) ?? make(from)
      made.set(from, found)
      return found
    },
    /** all listeners have the changes up to this version */
    forget(delivered: number) {
      for (const [id, since] of removed) if (since <= delivered) removed.delete(id)
    },
  }
}
