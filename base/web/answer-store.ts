// Answers cached in memory, bounded in bytes and age. An older answer never replaces one that was requested later.
import { LRUCache } from 'lru-cache'
import type { Wishes } from './conditional.ts'

const mebibyte = 1024 * 1024
const mostBytes = 32 * mebibyte
export const mostEntryBytes = 2 * mebibyte
const entryBytes = 512
const sweepMs = 60_000
const goneBytes = { bytes: Buffer.alloc(0), etag: '' }

export interface Kept {
  readonly bytes: Buffer
  readonly etag: string
  readonly at: number
  /** by the clock that replicas share; absent if Redis did not answer */
  readonly stamp?: number
}

export interface Look {
  readonly name: string
  readonly askedAt: number
  readonly maxAgeSec: number
  readonly wishes: Wishes
}

export const isGone = ({ etag }: Kept): boolean => etag === goneBytes.etag

export function createAnswerStore(steady: () => number) {
  const kept = new LRUCache<string, Kept>({
    maxSize: mostBytes,
    maxEntrySize: mostEntryBytes,
    perf: { now: steady },
    ttlResolution: 0,
    sizeCalculation: ({ bytes }, name) => bytes.length + 2 * name.length + entryBytes,
  })
  let sweptAt = steady()

  /** entries that are not requested again would stay until their room is needed */
  function sweep() {
    if (steady() - sweptAt < sweepMs) return
    sweptAt = steady()
    kept.purgeStale()
  }

  return {
    size: () => kept.calculatedSize,
    drop({ name, askedAt, maxAgeSec }: Look, stamp?: number) {
      const held = kept.peek(name)
      const gone = { ...goneBytes, at: askedAt, ...(stamp !== undefined && { stamp }) }
      if (!held || held.at <= askedAt) kept.set(name, gone, { ttl: maxAgeSec * 1000 })
    },
    peek: ({ name }: Look): Kept | undefined => kept.peek(name),
    get({ name, askedAt, maxAgeSec }: Look): Kept | undefined {
      const held = kept.get(name)
      return held && !isGone(held) && askedAt - held.at < maxAgeSec * 1000 ? held : undefined
    },
    put({ name, askedAt, maxAgeSec }: Look, one: Kept): boolean {
      sweep()
      const held = kept.peek(name)
      // a slow read never replaces one that began after it
      if (!held || held.at <= askedAt) kept.set(name, one, { ttl: maxAgeSec * 1000 })
      return kept.peek(name)?.etag === one.etag
    },
  }
}

export type AnswerStore = ReturnType<typeof createAnswerStore>
