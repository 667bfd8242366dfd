// All cards as they stand, and since when: drawn again for all readers at once, and each is told what is new to him. It is
// drawn in parts, so that ten thousand connections hold up nobody.
import { setImmediate } from 'node:timers/promises'
import { isoOf } from '../moment.ts'
import { eventOf } from './event-stream.ts'
import type { Parts } from './operation.ts'
import { createCards, serviceState } from './overview.ts'

/** an event, made when it is sent */
export type Piece = () => Buffer

export interface Board {
  /** grows with each change */
  readonly version: () => number
  /** looks at everything again */
  draw(): Promise<void>
  /** what has changed behind this version; 0: all there is */
  since(version: number): readonly Piece[]
  /** all readers have been told what is not behind this version */
  forget(version: number): void
}

export type BoardParts = Pick<Parts, 'connections' | 'history' | 'picture' | 'service' | 'ready' | 'now'>

/** cards that are drawn without a pause, and cards of one event */
const [atOnce, ofEvent] = [100, 100]

interface Kept {
  readonly text: string
  readonly version: number
}

function once(make: () => string): Piece {
  let made: Buffer | undefined
  return () => (made ??= Buffer.from(make()))
}

/** the texts of all cards that are not as they were */
async function drawCards(ids: readonly string[], draw: (id: string) => object, kept: Cards) {
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

/** rejects where it cannot be found out how all stands */
export async function drawBoard(parts: BoardParts): Promise<Board> {
  const fresh = createBoard(parts)
  await fresh.draw()
  return fresh
}

function createBoard(parts: BoardParts): Board {
  const cards = new Map<string, Kept>()
  const removed = new Map<string, number>()
  let service = { text: '', told: '', version: 0 }
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

  /** the time since the start alone is no news */
  function keepService(state: Awaited<ReturnType<typeof serviceState>>) {
    const text = JSON.stringify({ ...state, uptimeSec: 0 })
    const isNew = service.text !== text
    if (isNew) version++
    service = { text, told: JSON.stringify(state), version: isNew ? version : service.version }
  }

  function make(from: number): Piece[] {
    const changed = [...cards.values()].filter((card) => card.version > from).map(({ text }) => text)
    const gone = [...removed].filter(([, since]) => since > from).map(([id]) => id)
    const [{ told }, count, drawnAt] = [service, cards.size, at]
    return [
      ...(service.version > from ? [once(() => eventOf('service', told))] : []),
      ...(from > 0 && gone.length > 0 ? [once(() => eventOf('removed', JSON.stringify({ ids: gone })))] : []),
      ...piecesOf(drawnAt, changed),
      ...(from === 0 ? [once(() => eventOf('whole', `{"at":${drawnAt},"count":${count}}`))] : []),
    ]
  }

  return {
    version: () => version,
    async draw() {
      const picture = await parts.picture()
      // who cannot ask the store says that it is not ready, and knows the connections that were there
      const there = await parts.connections.ids().catch((error: unknown) => {
        if (version === 0) throw error
        return [...cards.keys()]
      })
      const fresh = await drawCards(there, createCards(parts, picture), cards)
      const state = await serviceState(parts, picture, there.length)
      at = JSON.stringify(isoOf(parts.now()))
      made = new Map()
      keep(fresh, there)
      keepService(state)
    },
    since(from) {
      const found = made.get(from) ?? make(from)
      made.set(from, found)
      return found
    },
    forget(told) {
      for (const [id, since] of removed) if (since <= told) removed.delete(id)
    },
  }
}
