// Where answers are kept in memory: so much in all and for so long, and nothing older in the place of what was asked for later.
import { LRUCache } from 'lru-cache'
import type { Wishes } from './conditional.ts'

const mebibyte = 1024 * 1024
const mostBytes = 32 * mebibyte
export const mostEntryBytes = 2 * mebibyte
/** what an entry costs beside its bytes and its name */
const entryBytes = 512
const sweepMs = 60_000
const goneBytes = { bytes: Buffer.alloc(0), etag: '' }

export interface Kept {
  readonly bytes: Buffer
  readonly etag: string
  /** when the request came that it was read for: what is older has no say against it */
  readonly at: number
  /** the same by the count that replicas have in common, where there was one to be asked */
  readonly stamp?: number
}

/** one request's look at what is remembered */
export interface Look {
  readonly name: string
  readonly askedAt: number
  readonly maxAgeSec: number
  readonly wishes: Wishes
}

export const isGone = ({ etag }: Kept): boolean => etag === goneBytes.etag

export function createShelf(steady: () => number) {
  const kept = new LRUCache<string, Kept>({
    ...{ maxSize: mostBytes, maxEntrySize: mostEntryBytes, perf: { now: steady }, ttlResolution: 0 },
    sizeCalculation: ({ bytes }, name) => bytes.length + 2 * name.length + entryBytes,
  })
  let sweptAt = steady()

  /** what nobody asks for again would otherwise stay until its room is needed */
  function sweep() {
    if (steady() - sweptAt < sweepMs) return
    sweptAt = steady()
    kept.purgeStale()
  }

  return {
    size: () => kept.calculatedSize,
    /** it is there no longer, and no slower read that began before brings it back */
    drop({ name, askedAt, maxAgeSec }: Look, stamp?: number) {
      const held = kept.peek(name)
      const gone = { ...goneBytes, at: askedAt, ...(stamp !== undefined && { stamp }) }
      if (!held || held.at <= askedAt) kept.set(name, gone, { ttl: maxAgeSec * 1000 })
    },
    /** whatever is there, also where it says that there is nothing */
    peek: ({ name }: Look): Kept | undefined => kept.peek(name),
    get({ name, askedAt, maxAgeSec }: Look): Kept | undefined {
      const held = kept.get(name)
      // by what the settings say now, not when it was kept
      return held && !isGone(held) && askedAt - held.at < maxAgeSec * 1000 ? held : undefined
    },
    /** whether this is what is remembered now */
    put({ name, askedAt, maxAgeSec }: Look, one: Kept): boolean {
      sweep()
      const held = kept.peek(name)
      // a slow read never takes the place of one that began after it
      if (!held || held.at <= askedAt) kept.set(name, one, { ttl: maxAgeSec * 1000 })
      return kept.peek(name)?.etag === one.etag
    },
  }
}

export type Shelf = ReturnType<typeof createShelf>
