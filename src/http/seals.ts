// The same place of a walk gets the same cursor for some hours. A seal has a random part, so without this no page that has a
// successor would ever have the same bytes twice, and nobody could be told that his copy of it is still good.
import { LRUCache } from 'lru-cache'
import { type Cursors, type Place, walkOf } from '../engine/cursor.ts'

/** with the hour that an answer may be remembered, this leaves a cursor half of its day */
const reusedMs = 11 * 3_600_000
const mostBytes = 4 * 1024 * 1024
const entryBytes = 256

interface Seal {
  readonly text: string
  readonly at: number
}

const nameOf = (walk: Buffer, { cursor, trail }: Place): string =>
  walkOf([walk.toString('hex'), cursor, trail]).toString('hex')

export function steadySeals(cursors: Cursors, now: () => number): Cursors {
  const seals = new LRUCache<string, Seal>({
    maxSize: mostBytes,
    sizeCalculation: ({ text }, name) => text.length + name.length + entryBytes,
  })
  return {
    open: (walk, cursor) => cursors.open(walk, cursor),
    seal(walk, place) {
      const name = nameOf(walk, place)
      const held = seals.get(name)
      // by the clock that cursors are dated by: a machine that slept has aged them
      const ageMs = held ? now() - held.at : reusedMs
      if (held && ageMs >= 0 && ageMs < reusedMs) return held.text
      const text = cursors.seal(walk, place)
      seals.set(name, { text, at: now() })
      return text
    },
  }
}
