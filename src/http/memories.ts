// Keeps what lookups have found out: so much and so long, and apart for each connection as long as its credential stays.
import { LRUCache } from 'lru-cache'
import type { Found, Memories, Memory } from '../engine/memory.ts'
import { numberOwners } from './owners.ts'

/** names hold ids that callers made up */
const [mostBytes, longestName, entryBytes] = [8 * 1024 * 1024, 2_048, 256]
/** while it is used it stays, but never longer than the second: a locale may have become ambiguous */
const [idleMs, longestMs] = [60_000, 600_000]

interface Kept {
  readonly found: Found
  readonly at: number
}

export function createMemories(steady: () => number = () => performance.now()): Memories {
  const kept = new LRUCache<string, Kept>({
    ...{ ttl: idleMs, ttlResolution: 0, updateAgeOnGet: true, perf: { now: steady }, maxSize: mostBytes },
    sizeCalculation: (_, name) => 2 * name.length + entryBytes,
  })
  const numberOf = numberOwners()

  function memoryOf(owner: object): Memory {
    const prefix = `${numberOf(owner)} `
    return {
      recall(name) {
        const one = kept.get(prefix + name)
        return one && steady() - one.at < longestMs ? one.found : undefined
      },
      keep: (name, found) => void (name.length <= longestName && kept.set(prefix + name, { found, at: steady() })),
      forget: (name) => void kept.delete(prefix + name),
    }
  }

  const memories = new WeakMap<object, Memory>()
  return {
    of(owner, fresh) {
      const memory = memories.get(owner) ?? memoryOf(owner)
      memories.set(owner, memory)
      return fresh ? { ...memory, recall: () => undefined } : memory
    },
  }
}
